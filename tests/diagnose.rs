//! Diagnosis against recorded PyTorch 2.15 errors: those about devices and memory get a card, all others don't.

#![cfg(feature = "python")]

use tensoryard::diagnose::{Card, Failure, diagnose};
use tensoryard::language::Language;

/// Every recorded error: id, program, class, message.
fn recorded() -> Vec<(String, String, String, String)> {
    let mut out = Vec::new();
    for text in [include_str!("oracle/torch/errors_cuda.json"), include_str!("oracle/torch/errors_cpu.json")] {
        let rows: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
        for row in rows {
            let field = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
            if let Some(message) = row["want"]["message"].as_str() {
                out.push((field(&row["id"]), field(&row["code"]), field(&row["want"]["type"]), message.to_string()));
            }
        }
    }
    out
}

fn card(code: &str, class: &str, message: &str) -> Option<Card> {
    diagnose(&Failure { class, message, line: Some(1), source: code, operands: &[] })
}

#[test]
fn every_recorded_mistake_of_the_rules_has_its_card() {
    let families = [
        ("Expected all tensors to be on the same device", &["D01", "D02", "D03", "D08", "D09", "D10"][..]),
        ("Input type (torch.", &["D03"]),
        ("Input and ", &["D02"]),
        ("expected self and mask", &["D01"]),
        ("Expected query, key, and value to have the same device", &["D01"]),
        ("indices should be either on cpu or on the same device", &["D10"]),
        ("can't convert cuda", &["D11"]),
        ("Can't call numpy()", &["D12"]),
        ("Found no NVIDIA driver", &["D17"]),
        ("Torch not compiled with CUDA", &["D17"]),
        ("Expected one of cpu, cuda", &["D18"]),
        ("Invalid device string", &["D18"]),
        ("CUDA error: invalid device ordinal", &["D18"]),
        ("CUDA out of memory", &["D20"]),
        ("cannot pin '", &["D24"]),
        ("module must have its parameters and buffers on device", &["D26"]),
        ("Default process group has not been initialized", &["D27"]),
        ("DistributedDataParallel device_ids and output_device", &["D27"]),
        ("Expected a 'cuda' device type for generator", &["D28"]),
        ("Expected a 'cpu' device type for generator", &["D28"]),
    ];
    let mut seen = vec![0; families.len()];
    for (id, code, class, message) in recorded() {
        let Some(family) = families.iter().position(|(begin, _)| message.starts_with(begin)) else { continue };
        let card = card(&code, &class, &message).unwrap_or_else(|| panic!("{id}: no card for {message}"));
        assert!(families[family].1.contains(&card.rule.as_str()), "{id}: {} for {message}", card.rule);
        // Nothing is known about the operands here, so the sentence doesn't name any.
        let cause = card.cause.say(Language::English);
        assert!(cause.ends_with('.') && card.operands.is_empty(), "{id}: {cause}");
        seen[family] += 1;
    }
    assert!(seen.iter().sum::<i32>() > 60, "{seen:?}");
}

#[test]
fn other_recorded_errors_have_none() {
    let mut others = 0;
    for (id, code, class, message) in recorded() {
        let text = message.to_lowercase();
        if ["device", "cuda", "cpu", "driver", "numpy", "pinned", "non-leaf", "parameter list"]
            .iter()
            .any(|w| text.contains(w))
            // Keys that differ by a wrapper's prefix, and processes that haven't formed a group.
            || text.contains("\"module.")
            || text.contains("process group")
        {
            continue;
        }
        assert_eq!(card(&code, &class, &message), None, "{id}");
        others += 1;
    }
    assert!(others > 150, "{others}");
}
