// What Node is told about files of a program that are not plain JavaScript, or not where they seem to be.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const JOB = 'file:///run/job/'
const WORKSPACE = 'file:///workspace/main.mjs'
const ESBUILD = fileURLToPath(
  new URL(`./node_modules/@esbuild/${process.platform}-${process.arch}/bin/esbuild`, import.meta.url)
)

// What a program finds behind everything else when it has a way to tools.
const CAISSON = 'file:///run/guest/lib/node/caisson/index.mjs'
const SERVERS = 'file:///run/job/servers/'

/** A program's file lies apart from its workspace, but it names its own files as if it lay there. */
export async function resolve(specifier, context, next) {
  try {
    return await resolveNear(specifier, context, next)
  } catch (problem) {
    const tools = problem.code === 'ERR_MODULE_NOT_FOUND' ? toolsOf(specifier) : undefined
    if (tools) return next(tools, context)
    problem.stack = problem.stack?.split('\n').filter((line) => !line.includes(import.meta.url)).join('\n')
    throw problem
  }
}

// Also for a parent in the workspace, which may be anywhere below it.
function toolsOf(specifier) {
  if (!existsSync('/run/job/door')) return undefined
  if (specifier === 'caisson') return CAISSON
  const [, path] = /^(?:\.{1,2}\/)+servers\/(.+)$/.exec(specifier) ?? []
  return path && existsSync(new URL(path, SERVERS)) ? new URL(path, SERVERS).href : undefined
}

// What `next` is given is merged into the context of the whole chain, so the second call must say whose import it is.
async function resolveNear(specifier, context, next) {
  const { parentURL } = context
  if (!parentURL?.startsWith(JOB)) return resolveTyped(specifier, context, next)
  try {
    return await resolveTyped(specifier, { ...context, parentURL: WORKSPACE }, next)
  } catch (problem) {
    if (problem.code !== 'ERR_MODULE_NOT_FOUND') throw problem
    return resolveTyped(specifier, { ...context, parentURL }, next)
  }
}

/** TypeScript lets `./a` and `./a.js` stand for `./a.ts`. */
async function resolveTyped(specifier, context, next) {
  try {
    return await next(specifier, context)
  } catch (problem) {
    if (problem.code !== 'ERR_MODULE_NOT_FOUND' || !/^\.{1,2}\//.test(specifier)) throw problem
    const url = new URL(specifier.replace(/\.js$/, '') + '.ts', context.parentURL)
    if (!existsSync(url)) throw problem
    return next(url.href, context)
  }
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !/\.[mc]?tsx?$/.test(new URL(url).pathname)) return next(url, context)
  return { format: 'module', shortCircuit: true, source: await javascriptOf(fileURLToPath(url)) }
}

/** Types are taken away, not checked. Decorators are the standard's, or the older kind where only that parses. */
async function javascriptOf(path) {
  const standard = transform(path, {})
  const result = standard.status === 0 ? standard : transform(path, { experimentalDecorators: true })
  if (result.status === 0) return result.stdout
  return `process.stderr.write(${JSON.stringify(await complaintOf(path, standard))}); process.exit(1)`
}

async function complaintOf(path, { stderr, error }) {
  const { asEditorsCount } = (await import('./columns.cjs')).default
  return stderr ? asEditorsCount(stderr, readFileSync(path, 'utf8')) : String(error)
}

function transform(path, compilerOptions) {
  const options = [
    path.endsWith('x') ? '--loader=tsx' : '--loader=ts',
    '--target=node20',
    '--platform=node',
    '--sourcemap=inline',
    `--sourcefile=${path}`,
    `--tsconfig-raw=${JSON.stringify({ compilerOptions })}`,
    '--log-level=error',
    '--color=false'
  ]
  return spawnSync(ESBUILD, options, { input: readFileSync(path), encoding: 'utf8', maxBuffer: 64 << 20 })
}
