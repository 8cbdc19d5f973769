//! What a host of the playground should send, and what the pages say themselves where a host sends nothing: from
//! `www/headers.json`, which `www/finish.mjs` reads too.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Which policy a page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Everything but the frame.
    Site,
    /// `embed.html`, the frame on other pages.
    Frame,
}

/// See the module's documentation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Headers {
    /// Scripts and wasm from this site alone, no inline script, no other host. Styles may be inline: the editor writes them.
    policy: Vec<String>,
    /// What is different in the frame: in a sandbox without an origin only a `blob:` can start a worker.
    frame: Vec<String>,
    /// Who may frame the others. A page can't say this of itself.
    framing: Vec<String>,
    /// Headers of every file.
    pub always: BTreeMap<String, String>,
    /// Headers of files that everybody may read: a frame in a sandbox has no origin, so to the browser it's another site.
    pub shared: BTreeMap<String, String>,
}

impl Headers {
    /// # Errors
    /// The file is not what it should be: a sentence for the user.
    pub fn read() -> Result<Headers, String> {
        serde_json::from_str(include_str!("../www/headers.json")).map_err(|error| format!("www/headers.json: {error}"))
    }

    /// The policy as a page says it of itself.
    pub fn within(&self, page: Page) -> String {
        let name = |directive: &str| directive.split(' ').next().map(String::from);
        let own = |directive: &String| {
            let changed = self.frame.iter().find(|other| page == Page::Frame && name(other) == name(directive));
            changed.unwrap_or(directive).clone()
        };
        self.policy.iter().map(own).collect::<Vec<_>>().join("; ")
    }

    /// The policy as a header.
    pub fn policy(&self, page: Page) -> String {
        match page {
            Page::Site => format!("{}; {}", self.within(page), self.framing.join("; ")),
            Page::Frame => self.within(page),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame in a sandbox without an origin.
    #[test]
    fn only_the_frame_may_use_blobs_and_be_framed() {
        let headers = Headers::read().unwrap();
        for page in [Page::Site, Page::Frame] {
            let policy = headers.policy(page);
            let directive = |name: &str| policy.split("; ").find(|part| part.starts_with(name));
            assert_eq!(directive("script-src"), Some("script-src 'self' 'wasm-unsafe-eval'"));
            assert_eq!(directive("worker-src").unwrap().contains("blob:"), page == Page::Frame, "{policy}");
            assert_eq!(directive("frame-ancestors"), (page == Page::Site).then_some("frame-ancestors 'self'"));
            assert_eq!(directive("require-trusted-types-for"), Some("require-trusted-types-for 'script'"));
            assert!(!headers.within(page).contains("frame-ancestors"), "browsers ignore it there, and say so");
        }
    }

    /// What people copy into their hosts' settings is what `tensoryard serve` sends.
    #[test]
    fn the_guide_to_hosting_has_these_headers() {
        let guide = include_str!("../docs/hosting.md");
        let headers = Headers::read().unwrap();
        let [site, frame] = [Page::Site, Page::Frame].map(|page| headers.policy(page));
        for line in [
            format!("    default \"{site}\";"),
            format!("    \"~/embed\\.html$\" \"{frame}\";"),
            format!("/\n  Content-Security-Policy: {site}\n"),
            format!("/index.html\n  Content-Security-Policy: {site}\n"),
            format!("/embed.html\n  Content-Security-Policy: {frame}\n"),
        ] {
            assert!(guide.contains(&line), "docs/hosting.md lacks this:\n{line}");
        }
        for (name, value) in headers.always.iter().chain(&headers.shared) {
            for line in [format!("add_header {name} \"{value}\" always;"), format!("  {name}: {value}\n")] {
                assert!(guide.contains(&line), "docs/hosting.md lacks this:\n{line}");
            }
        }
        let policies = guide.matches("default-src").count();
        assert_eq!(guide.matches(&site).count() + guide.matches(&frame).count(), policies, "a policy of another time");
    }
}
