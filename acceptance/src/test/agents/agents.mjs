// The command lines of agents, each set up as the README and the page Connect say, with the scripted model instead of
// its own. An agent has `commands`, run in order in an empty home directory; the last of them is the conversation.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PROMPT = "Follow the script.";
const json = (value) => JSON.stringify(value, null, 2);

function written(home, path, text) {
  mkdirSync(join(home, path, ".."), { recursive: true });
  writeFileSync(join(home, path), text);
}

export const agents = {
  claude: {
    packages: "@anthropic-ai/claude-code",
    prepare({ model }) {
      return {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      };
    },
    commands: ({ url, key }) => [
      ["claude", "mcp", "add", "--transport", "http", "caisson", url, "--header", `Authorization: Bearer ${key}`],
      ["claude", "-p", PROMPT, "--allowedTools", "mcp__caisson"],
    ],
  },
  codex: {
    packages: "@openai/codex",
    // It hands its model the structured content alone where there is some, and no image.
    blind: true,
    prepare({ home, url, key, model }) {
      const config = [
        'model = "scripted"',
        'model_provider = "scripted"',
        "[model_providers.scripted]",
        'name = "scripted"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
        "[mcp_servers.caisson]",
        `url = "${url}"`,
        'bearer_token_env_var = "CAISSON_KEY"',
      ];
      written(home, ".codex/config.toml", `${config.join("\n")}\n`);
      return { CAISSON_KEY: key };
    },
    commands: () => [
      ["codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", PROMPT],
    ],
  },
  gemini: {
    packages: "@google/gemini-cli",
    prepare({ home, url, key, model }) {
      const settings = {
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { caisson: { httpUrl: url, headers: { Authorization: `Bearer ${key}` } } },
      };
      written(home, ".gemini/settings.json", json(settings));
      return { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model };
    },
    commands: () => [["gemini", "--yolo", "--skip-trust", "-m", "gemini-2.5-pro", "-p", PROMPT]],
  },
  opencode: {
    packages: "opencode-ai",
    prepare({ home, url, key, model }) {
      const config = {
        model: "scripted/scripted",
        autoupdate: false,
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${model}/v1`, apiKey: "none" },
            models: { scripted: { attachment: true, modalities: { input: ["text", "image"], output: ["text"] } } },
          },
        },
        mcp: { caisson: { type: "remote", url, enabled: true, headers: { Authorization: `Bearer ${key}` } } },
      };
      written(home, "opencode.json", json(config));
      return { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
    },
    commands: () => [["opencode", "run", PROMPT]],
  },
};
