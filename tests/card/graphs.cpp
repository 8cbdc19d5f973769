// The part of libcuda.so.1 that captures streams and launches graphs. A capture records what its stream is given; while one
// goes on in another mode than "relaxed", calls that CUDA calls unsafe fail and spoil it, and so does every wait for its stream.

#include "model.h"

// An instantiated graph: its nodes in order, as they will be launched.
struct Instance {
    Context *context;
    // The nodes of the graph that it was made from, and what each does now.
    std::vector<GraphNode *> nodes;
    std::vector<GraphNode> work;
};
static std::set<Graph *> graphs;
static std::set<GraphNode *> nodes;
static std::set<Instance *> instances;

API cuStreamBeginCapture_v2(Stream *stream, int mode) {
    ENTER_CONTEXT;
    NEED(mode >= 0 && mode <= 2, INVALID_VALUE);
    // The default stream cannot be captured.
    NEED((uintptr_t)stream > 1, CAPTURE_UNSUPPORTED);
    NEED(machine().streams.count(stream) && stream->context == context, INVALID_HANDLE);
    NEED(!stream->capturing, ILLEGAL_STATE);
    stream->capturing = new Graph{context, mode, false, {}};
    machine().captures++;
    note("cuStreamBeginCapture %d", context->device);
    return SUCCESS;
}
API cuStreamEndCapture(Stream *stream, Graph **out) {
    ENTER_CONTEXT;
    NEED(out && machine().streams.count(stream), INVALID_HANDLE);
    NEED(stream->capturing, ILLEGAL_STATE);
    Graph *graph = stream->capturing;
    stream->capturing = nullptr;
    machine().captures--;
    note("cuStreamEndCapture %d %zu nodes", context->device, graph->nodes.size());
    if (graph->spoilt) {
        delete graph;
        *out = nullptr;
        return CAPTURE_INVALIDATED;
    }
    graphs.insert(graph);
    nodes.insert(graph->nodes.begin(), graph->nodes.end());
    *out = graph;
    return SUCCESS;
}
API cuStreamGetCaptureInfo_v2(Stream *stream, int *status, uint64_t *id, Graph **graph, GraphNode *const **last, size_t *count) {
    ENTER_CONTEXT;
    NEED(status && machine().streams.count(stream), INVALID_HANDLE);
    Graph *capturing = stream->capturing;
    *status = !capturing ? 0 : capturing->spoilt ? 2 : 1;
    if (!capturing)
        return SUCCESS;
    const bool empty = capturing->nodes.empty();
    if (id)
        *id = (uint64_t)(uintptr_t)capturing;
    if (graph)
        *graph = capturing;
    if (last)
        *last = empty ? nullptr : &capturing->nodes.back();
    if (count)
        *count = empty ? 0 : 1;
    return SUCCESS;
}
API cuGraphInstantiateWithFlags(Instance **out, Graph *graph, unsigned long long flags) {
    ENTER_CONTEXT;
    NEED(out && flags < 16, INVALID_VALUE);
    NEED(graphs.count(graph), INVALID_HANDLE);
    *out = new Instance{graph->context, graph->nodes, {}};
    for (GraphNode *node : graph->nodes)
        (*out)->work.push_back(*node);
    instances.insert(*out);
    return SUCCESS;
}
API cuGraphExecKernelNodeSetParams_v2(Instance *instance, GraphNode *node, const KernelNode *given) {
    ENTER_CONTEXT;
    NEED(given && instances.count(instance) && nodes.count(node), INVALID_HANDLE);
    NEED(!given->extra && !given->shared && given->block[1] == 1 && given->block[2] == 1, NOT_SUPPORTED);
    for (size_t i = 0; i < instance->nodes.size(); i++)
        if (instance->nodes[i] == node) {
            // The function may not change where it would change the context; ours never does.
            NEED(instance->work[i].kernel.function, INVALID_VALUE);
            note("cuGraphExecKernelNodeSetParams %zu", i);
            return prepare(given->function, given->grid, given->block[0], given->parameters, instance->work[i].kernel);
        }
    return INVALID_VALUE;
}
API cuGraphLaunch(Instance *instance, Stream *handle) {
    ENTER_CONTEXT;
    NEED(instances.count(instance), INVALID_HANDLE);
    Stream *stream = (uintptr_t)handle <= 1 ? context->legacy : handle;
    NEED(stream == context->legacy || machine().streams.count(stream), INVALID_HANDLE);
    if (stream->capturing)
        refuse("a graph was launched into a capture");
    note("cuGraphLaunch %d %zu nodes", context->device, instance->work.size());
    // What changes in the instance later is not for this launch.
    std::vector<GraphNode> work = instance->work;
    submit(stream, [work]() mutable {
        for (GraphNode &node : work) {
            const int result = node.kernel.function ? node.kernel.run() : node.run();
            if (result != SUCCESS)
                return result;
        }
        return (int)SUCCESS;
    });
    return SUCCESS;
}
API cuGraphDebugDotPrint(Graph *graph, const char *path, unsigned flags) {
    ENTER_CONTEXT;
    NEED(path && flags < 1 << 15, INVALID_VALUE);
    NEED(graphs.count(graph), INVALID_HANDLE);
    FILE *file = fopen(path, "w");
    NEED(file, OPERATING_SYSTEM);
    fprintf(file, "digraph dot {\n");
    for (size_t i = 0; i < graph->nodes.size(); i++) {
        const Kernel &kernel = graph->nodes[i]->kernel;
        // The verbose form has what each node is launched with.
        fprintf(file, "\"%zu\" [label=\"%s\"]\n", i, kernel.function ? "KERNEL" : "OTHER");
        if (kernel.function && flags & 1)
            fprintf(file, "\"%zu\" [tooltip=\"%u x %u\"]\n", i, kernel.grid[0], kernel.block);
        if (i)
            fprintf(file, "\"%zu\" -> \"%zu\"\n", i - 1, i);
    }
    fprintf(file, "}\n");
    fclose(file);
    note("cuGraphDebugDotPrint %zu nodes, flags %u", graph->nodes.size(), flags);
    return SUCCESS;
}
API cuGraphExecDestroy(Instance *instance) {
    ENTER_CONTEXT;
    NEED(instances.erase(instance), INVALID_HANDLE);
    delete instance;
    note("cuGraphExecDestroy");
    return SUCCESS;
}
API cuGraphDestroy(Graph *graph) {
    ENTER_CONTEXT;
    NEED(graphs.erase(graph), INVALID_HANDLE);
    for (GraphNode *node : graph->nodes) {
        nodes.erase(node);
        delete node;
    }
    delete graph;
    return SUCCESS;
}
