//! The headers that a host of the playground should send, and the policy that the pages contain for hosts that send none.
//! Both come from `www/headers.json`, which `www/finish.mjs` reads as well.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Which policy a page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// All pages except the frame.
    Site,
    /// `embed.html`, the frame in other pages.
    Frame,
}

/// See the module's documentation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Headers {
    /// Scripts and wasm only from this site, no inline scripts, no other hosts. Styles may be inline, because the editor
    /// writes them.
    policy: Vec<String>,
    /// The differences for the frame: in a sandbox without an origin, only a `blob:` can start a worker.
    frame: Vec<String>,
    /// Which sites may frame the other pages. A page can't set this itself.
    framing: Vec<String>,
    /// Headers for every file.
    pub always: BTreeMap<String, String>,
    /// Headers for files that every site may read: a frame in a sandbox has no origin, so the browser treats it as
    /// another site.
    pub shared: BTreeMap<String, String>,
}

impl Headers {
    /// # Errors
    /// The file doesn't have the right form: a sentence for the user.
    pub fn read() -> Result<Headers, String> {
        serde_json::from_str(include_str!("../www/headers.json")).map_err(|error| format!("www/headers.json: {error}"))
    }

    /// The policy for a page's own `<meta>` element.
    pub fn within(&self, page: Page) -> String {
        let name = |directive: &str| directive.split(' ').next().map(String::from);
        let own = |directive: &String| {
            let changed = self.frame.iter().find(|other| page == Page::Frame && name(other) == name(directive));
            changed.unwrap_or(directive).clone()
        };
        self.policy.iter().map(own).collect::<Vec<_>>().join("; ")
    }

    /// The policy for a header.
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

    /// The settings that people copy to their hosts are those that `tensoryard serve` sends.
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
