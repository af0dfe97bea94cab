// Tools of this server, for the program of a run: `import * as github from './servers/github/index.js'`, or
// `import { servers } from 'caisson'` and `servers.github`. A call is a promise of its data, and fails with a
// ToolError; `.result(…)` is a promise of `{ ok, data | error, raw }` that does not fail.

import { mkdirSync, writeFileSync } from 'node:fs'
import { connection } from './wire.mjs'
import { ToolError } from './errors.mjs'

export { ToolError }

const FILES = '/tmp/tools'

/** A function that calls one tool: what the files of a server are made of. */
export function wrapper(server, tool, definition = '', description = '') {
  const request = (given) => {
    if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given))) {
      throw new TypeError(`${server}.${tool} takes an object`)
    }
    const asked = { call: `${server}/${tool}`, arguments: given ?? {}, at: place() }
    return definition ? { ...asked, definition } : asked
  }
  const call = async (given, { signal } = {}) => dataOf(await connection().begin(request(given), signal))
  call.result = async (given, { signal } = {}) => {
    try {
      return resultOf(await connection().begin({ ...request(given), raw: true }, signal))
    } catch (failure) {
      if (!(failure instanceof ToolError)) throw failure
      return { ok: false, error: failure.asObject() }
    }
  }
  Object.defineProperty(call, 'name', { value: tool })
  if (description) call.description = description
  return call
}

/** The functions of all servers, by the names they have there. */
export const servers = byName((server) => byName((tool) => wrapper(server, tool)))

function byName(make) {
  const made = Object.create(null)
  const get = (_, name) => {
    // What asks whether this is a promise, or how to print it, asks for no tool.
    if (typeof name !== 'string' || name === 'then' || name === 'toJSON') return undefined
    return (made[name] ??= make(name))
  }
  return new Proxy(made, { get })
}

/** Calls a tool by its name: `call('github.list_issues', { state: 'open' })`. */
export async function call(tool, given) {
  const at = tool.search(/[./]/)
  return wrapper(tool.slice(0, at), tool.slice(at + 1))(given)
}

/** Functions whose names and descriptions fit the words. */
export async function search(query, more = {}) {
  const found = dataOf(await connection().begin({ search: { query, ...more } }))
  return found?.tools ?? found
}

/** Types and descriptions of functions, such as `describe('github.list_issues')`. */
export async function describe(...tools) {
  return dataOf(await connection().begin({ describe: { tools, format: 'typescript' } }))
}

/** The contents of a resource of a server, as a list: texts have `text`, what is binary the `path` of a file. */
export async function readResource(server, uri) {
  return dataOf(await connection().begin({ read: { server, uri }, at: place() }))
}

/** Whether the tools that can be called are others now than when this run began. */
export async function changed() {
  return connection().changed()
}

/** The catalogue as other hosts of code offer it: by the ids of servers and the names that tools have there. */
export const catalog = {
  async searchTools({ query, serverId, detail = 'name', limit }) {
    const found = await search(query, given({ server: serverId, detail, limit }))
    return found.map(({ server_id, name, ...rest }) => ({ serverId: server_id, toolName: name, name, ...rest }))
  },
  async getToolDefinition({ serverId, name }) {
    const answer = dataOf(await connection().begin({ describe: { tools: [`${serverId}/${name}`], format: 'schema' } }))
    const [found] = answer.tools
    if (!found) throw new ToolError('UnknownTool', answer.unknown[0] ?? `There is no tool ${serverId}/${name}.`)
    if (!found.whole) throw new ToolError('TooLarge', `The definition of ${serverId}/${name} is too long: its file has it.`)
    const { description, input_schema, output_schema, annotations } = JSON.parse(found.stub)
    return given({
      serverId: found.server_id,
      name: found.name,
      description,
      inputSchema: input_schema,
      outputSchema: output_schema,
      annotations
    })
  }
}

const HERE = new URL('.', import.meta.url).href
const LINE = /(?:\(|at )(?:async )?(?:file:\/\/)?([^()\s]+):(\d+):\d+\)?$/

/** Where the program is, for the record of its calls: the first line of the stack that is not ours. */
function place() {
  const { stackTraceLimit, prepareStackTrace } = Error
  Error.stackTraceLimit = 6
  Error.prepareStackTrace = undefined
  const lines = String(new Error('').stack).split('\n').slice(1)
  Error.stackTraceLimit = stackTraceLimit
  Error.prepareStackTrace = prepareStackTrace
  for (const line of lines) {
    if (line.includes(HERE) || line.includes('node:')) continue
    const [, file, number] = LINE.exec(line) ?? []
    if (file) return { file, line: Number(number) }
  }
  return undefined
}

const given = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

function resultOf(answer) {
  const { ok, raw } = answer
  return ok ? { ok, data: dataOf(answer), raw } : { ok, error: answer.error, ...(raw ? { raw } : {}) }
}

function dataOf(answer) {
  if (!answer.ok) throw ToolError.of(answer.error)
  for (const { path, data } of answer.files ?? []) {
    mkdirSync(FILES, { recursive: true })
    writeFileSync(path, Buffer.from(data, 'base64'))
  }
  for (const warning of answer.warnings ?? []) process.emitWarning(warning, 'ToolWarning')
  return answer.data
}
