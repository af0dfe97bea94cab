// Four ways in which agents talk to a model: what they send is read, and what the script says is put into their words.
// A dialect has `path`, `read(request)` with the tools and the answers of tools, and `write(response, move)`.

const event = (response, name, data) => response.write(`event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`);
const line = (response, data) => response.write(`data: ${JSON.stringify(data)}\n\n`);
const stream = (response) => response.writeHead(200, { "Content-Type": "text/event-stream" });
const identifier = () => `call_${Math.random().toString(36).slice(2, 12)}`;

/// Parts of an answer as text and images, whatever a dialect calls them.
function parts(content) {
  if (typeof content === "string") {
    return { text: content, images: 0 };
  }
  const list = Array.isArray(content) ? content : [content];
  const images = list.filter((part) => /image/.test(part?.type ?? "") || part?.inlineData !== undefined).length;
  const text = list.map((part) => part?.text ?? "").join("\n");
  return { text, images };
}

/// Messages of Anthropic: Claude Code.
const messages = {
  path: /^\/v1\/messages(\?.*)?$/,
  read(request) {
    const tools = (request.tools ?? []).map((tool) => ({ name: tool.name, sent: tool }));
    const blocks = request.messages.flatMap((message) => (Array.isArray(message.content) ? message.content : []));
    const results = blocks
      .filter((block) => block.type === "tool_result")
      .map((block) => ({ ...parts(block.content ?? ""), sent: block.content }));
    return { tools, results };
  },
  write(response, move) {
    stream(response);
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", model: "scripted", content: [], usage };
    event(response, "message_start", { message: { ...message, stop_reason: null, stop_sequence: null } });
    const block =
      move.call === undefined
        ? { type: "text", text: "" }
        : { type: "tool_use", id: `toolu_${identifier()}`, name: move.call, input: {} };
    event(response, "content_block_start", { index: 0, content_block: block });
    const delta =
      move.call === undefined
        ? { type: "text_delta", text: move.say }
        : { type: "input_json_delta", partial_json: JSON.stringify(move.arguments) };
    event(response, "content_block_delta", { index: 0, delta });
    event(response, "content_block_stop", { index: 0 });
    const stop_reason = move.call === undefined ? "end_turn" : "tool_use";
    event(response, "message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } });
    event(response, "message_stop", {});
    response.end();
  },
};

/// Responses of OpenAI: Codex. Tools of a server are a namespace.
const responses = {
  path: /^\/v1\/responses(\?.*)?$/,
  read(request) {
    const tools = (request.tools ?? []).flatMap((tool) =>
      tool.type === "namespace"
        ? tool.tools.map((inner) => ({ name: inner.name, namespace: tool.name, sent: inner }))
        : [{ name: tool.name ?? tool.type, sent: tool }],
    );
    const results = request.input
      .filter((item) => item.type === "function_call_output" || item.type === "mcp_tool_call_output")
      .map((item) => ({ ...parts(item.output), sent: item.output }));
    return { tools, results };
  },
  write(response, move, tools) {
    stream(response);
    const id = "resp_1";
    event(response, "response.created", { response: { id } });
    const tool = tools.find((each) => each.name === move.call);
    const item =
      move.call === undefined
        ? { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: move.say }] }
        : {
            type: "function_call",
            id: `fc_${identifier()}`,
            call_id: identifier(),
            name: move.call,
            ...(tool?.namespace === undefined ? {} : { namespace: tool.namespace }),
            arguments: JSON.stringify(move.arguments),
          };
    event(response, "response.output_item.done", { output_index: 0, item });
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    event(response, "response.completed", { response: { id, output: [], usage } });
    response.end();
  },
};

/// Chat completions of OpenAI, which many others speak: opencode.
const chat = {
  path: /\/chat\/completions$/,
  read(request) {
    const tools = (request.tools ?? []).map((tool) => ({ name: tool.function.name, sent: tool.function }));
    const results = [];
    for (const message of request.messages) {
      if (message.role === "tool") {
        results.push({ ...parts(message.content), sent: message.content });
      } else if (message.role === "user" && results.length > 0) {
        // Images come in a message of their own.
        results.at(-1).images += parts(message.content).images;
      }
    }
    return { tools, results };
  },
  write(response, move) {
    stream(response);
    const chunk = (delta, finish_reason) =>
      line(response, { id: "c1", object: "chat.completion.chunk", created: 1, model: "scripted", choices: [{ index: 0, delta, finish_reason }] });
    if (move.call === undefined) {
      chunk({ role: "assistant", content: move.say }, null);
      chunk({}, "stop");
    } else {
      const called = { name: move.call, arguments: JSON.stringify(move.arguments) };
      chunk({ role: "assistant", tool_calls: [{ index: 0, id: identifier(), type: "function", function: called }] }, null);
      chunk({}, "tool_calls");
    }
    response.end("data: [DONE]\n\n");
  },
};

/// Generate content of Google: Gemini CLI.
const gemini = {
  path: /:(streamGenerateContent|generateContent)/,
  read(request) {
    const tools = (request.tools ?? [])
      .flatMap((tool) => tool.functionDeclarations ?? [])
      .map((tool) => ({ name: tool.name, sent: tool }));
    const results = [];
    for (const part of request.contents.flatMap((content) => content.parts ?? [])) {
      if (part.functionResponse !== undefined) {
        const answer = part.functionResponse;
        const inner = answer.parts ?? [];
        const text = answer.response?.output ?? answer.response?.error ?? JSON.stringify(answer.response ?? "");
        results.push({ text, images: parts(inner).images, sent: answer });
      } else if (part.inlineData !== undefined && results.length > 0) {
        results.at(-1).images += 1;
      }
    }
    return { tools, results };
  },
  write(response, move, tools, address) {
    const part =
      move.call === undefined ? { text: move.say } : { functionCall: { name: move.call, args: move.arguments } };
    const answer = {
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
    if (address.includes(":streamGenerateContent")) {
      stream(response);
      line(response, answer);
      response.end();
    } else {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify(answer));
    }
  },
};

export const dialects = [messages, responses, chat, gemini];
