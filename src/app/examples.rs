//! The example programs that the playground offers. They belong to no lesson.

use super::texts::t;

/// What an example is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Begin,
    Devices,
    Copies,
    Models,
    Memory,
    Several,
    Mistakes,
}

impl Topic {
    pub const ALL: [Topic; 7] =
        [Topic::Begin, Topic::Devices, Topic::Copies, Topic::Models, Topic::Memory, Topic::Several, Topic::Mistakes];

    pub fn title(self) -> &'static str {
        match self {
            Topic::Begin => t().topic_begin,
            Topic::Devices => t().topic_devices,
            Topic::Copies => t().topic_copies,
            Topic::Models => t().topic_models,
            Topic::Memory => t().topic_memory,
            Topic::Several => t().topic_several,
            Topic::Mistakes => t().topic_mistakes,
        }
    }
}

/// A program that the playground offers.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Names the learner's own copy in the browser's storage.
    pub id: &'static str,
    pub topic: Topic,
    pub title: fn() -> &'static str,
    pub code: &'static str,
}

macro_rules! example {
    ($id:literal, $topic:ident, $title:ident, $file:literal) => {
        Example {
            id: $id,
            topic: Topic::$topic,
            title: || t().$title,
            code: include_str!(concat!("examples/", $file, ".py")),
        }
    };
}

/// The page opens with the first one.
pub const EXAMPLES: [Example; 21] = [
    example!("first", Begin, ex_first, "first"),
    example!("training", Begin, ex_training, "training"),
    example!("seeds", Begin, ex_seeds, "seeds"),
    example!("device-object", Devices, ex_device_object, "device_object"),
    example!("create-or-copy", Devices, ex_create_or_copy, "create_or_copy"),
    example!("to-returns", Devices, ex_to_returns, "to_returns"),
    example!("agnostic", Devices, ex_agnostic, "agnostic"),
    example!("transfer-cost", Copies, ex_transfer_cost, "transfer_cost"),
    example!("hidden-copies", Copies, ex_hidden_copies, "hidden_copies"),
    example!("pinned", Copies, ex_pinned, "pinned"),
    example!("model-to", Models, ex_model_to, "model_to"),
    example!("module-on-device", Models, ex_module_on_device, "module_on_device"),
    example!("checkpoint", Models, ex_checkpoint, "checkpoint"),
    example!("memory", Memory, ex_memory, "memory"),
    example!("no-grad", Memory, ex_no_grad, "no_grad"),
    example!("two-gpus", Several, ex_two_gpus, "two_gpus"),
    example!("data-parallel", Several, ex_data_parallel, "data_parallel"),
    example!("same-device", Mistakes, ex_same_device, "same_device"),
    example!("forgot-assign", Mistakes, ex_forgot_assign, "forgot_assign"),
    example!("layers-in-a-list", Mistakes, ex_layers_in_a_list, "layers_in_a_list"),
    example!("out-of-memory", Mistakes, ex_out_of_memory, "out_of_memory"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_every_topic_has_an_example() {
        for (i, example) in EXAMPLES.iter().enumerate() {
            assert!(super::super::route::is_id(example.id), "{}", example.id);
            assert!(EXAMPLES[..i].iter().all(|e| e.id != example.id), "{}", example.id);
        }
        for topic in Topic::ALL {
            assert!(EXAMPLES.iter().any(|e| e.topic == topic), "{topic:?}");
        }
    }
}
