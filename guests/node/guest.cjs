'use strict'
// The Node guest: waits for one job, then gets out of the way.
//
// Node is started with this file preloaded, so it runs before the program is looked for. Here it waits. When
// the job has come, the environment is set and Node goes on to run the program as its real main module: errors,
// rejections, exit codes and top-level await are Node's own, not an imitation. A job that names a cell begins a
// session instead, see session.cjs.
//
// Descriptors at the start: 0 carries the job and is at its end afterwards, 1 and 2 are the program's own, 7
// leads to the server: one byte when ready, one record when the program handed over a value.

const fs = require('node:fs')
const Module = require('node:module')
const { types } = require('node:util')
const { isMainThread } = require('node:worker_threads')

const JOB = '/run/job/'
const WORKSPACE = '/workspace/'
const VALUE_BYTES_MAX = 65536

if (isMainThread) becomeProgram(process.argv[1])

function becomeProgram(named) {
  const typescript = named.endsWith('.ts')
  writeWhole('stdout')
  writeWhole('stderr')
  if (typescript) {
    registerHooks()
    process.setSourceMapsEnabled(true)
  }
  delete require.cache[__filename]
  const ready = process.uptime()
  fs.writeSync(7, 'R')
  for (const name of Object.keys(process.env)) delete process.env[name]
  const job = parse(receive())
  forget(process.uptime() - ready)
  if (process.env.NODE_PATH) Module._initPaths()
  if (process.env.CAISSON_NETWORK) require('/run/guest/node/proxy.cjs').patchAll()
  process.chdir(WORKSPACE)
  process.execArgv = []
  if (job.cell) return beginSession(job, typescript)
  if (job.input) giveInput(job.input)
  else awaitEnd()

  const main = typescript ? named : mainFile(named)
  process.argv[1] = main
  lookInWorkspaceFirst(main, typescript)
  if (typescript) offerCommonJs(main)
  process.once('exit', handOver)
  runAsMain(main)
}

// A pipe takes what fits and Node keeps the rest, which is lost when the program exits. One that blocks takes all. Node
// makes its streams when they are first asked for, and so it remains.
function writeWhole(name) {
  const { get, ...rest } = Object.getOwnPropertyDescriptor(process, name)
  let made
  const blocking = () => {
    if (!made) {
      made = get.call(process)
      made._handle?.setBlocking?.(true)
    }
    return made
  }
  Object.defineProperty(process, name, { ...rest, get: blocking })
}

// A program is as old as its job, and what its interpreter took to start.
function forget(waited) {
  const apply = (uptime, self, values) => Reflect.apply(uptime, self, values) - waited
  process.uptime = new Proxy(process.uptime, { apply })
}

// TypeScript runs as a module; one that is written the older way finds what it expects all the same.
function offerCommonJs(main) {
  if (!/\b(?:require|module|exports|__filename|__dirname)\b/.test(fs.readFileSync(main, 'utf8'))) return
  const module = new Module(main)
  const require = Module.createRequire(main)
  require.main = module
  Object.assign(globalThis, { require, module, exports: module.exports, __filename: main, __dirname: JOB.slice(0, -1) })
}

// Node asks for its entry point once, after this file: it is given the program without a frame of ours below it.
function runAsMain(main) {
  const runMain = Module.runMain
  insteadOfMain(runMain.bind(Module, main))
}

function beginSession(job, typescript) {
  const { Session } = require('/run/guest/node/session.cjs')
  insteadOfMain(() => new Session(typescript, parse, recordOf, giveInput).begin(job))
}

// The lowest free descriptor is taken, which is the one that was closed.
function giveInput(path) {
  fs.closeSync(0)
  fs.openSync(path, 'r')
}

// The server closes its end a moment after the job: a program that reads without waiting finds it closed.
function awaitEnd() {
  fs.readSync(0, Buffer.alloc(1))
}

function insteadOfMain(start) {
  const runMain = Module.runMain
  const get = () => {
    Object.defineProperty(Module, 'runMain', { value: runMain, configurable: true, writable: true, enumerable: true })
    return start
  }
  Object.defineProperty(Module, 'runMain', { get, configurable: true, enumerable: true })
}

// The job: NAME=value entries, each ended by a NUL, and an empty one to say that it is whole. Sets the environment.
// An entry without a name is for the guest, and returned: a path is the file of a session's cell, a path after < the
// file that is the program's input, and display asks for the last expression, which only a session has.
function parse(received) {
  const job = { cell: undefined, input: undefined, display: false, interrupt: false }
  for (const entry of received.toString('utf8').split('\0')) {
    const at = entry.indexOf('=')
    if (at > 0) process.env[entry.slice(0, at)] = entry.slice(at + 1)
    if (entry.startsWith('=/')) job.cell = entry.slice(1)
    if (entry.startsWith('=<')) job.input = entry.slice(2)
    if (entry === '=display') job.display = true
    if (entry === '=interrupt') job.interrupt = true
  }
  return job
}

function receive() {
  const parts = []
  const buffer = Buffer.alloc(65536)
  for (;;) {
    const count = fs.readSync(0, buffer)
    if (count === 0) process.reallyExit(125)
    parts.push(Buffer.from(buffer.subarray(0, count)))
    const all = Buffer.concat(parts)
    const last = all.length - 1
    if (all[last] === 0 && (last === 0 || all[last - 1] === 0)) return all
  }
}

// A program is an ES module when it is not valid as CommonJS and valid as a module, or says so by its syntax.
function mainFile(named) {
  return isModule(fs.readFileSync(named, 'utf8')) ? JOB + 'main.mjs' : named
}

function isModule(source) {
  if (!/\b(?:import|export|await)\b/.test(source)) return false
  try {
    new (require('node:vm').Script)(Module.wrap(source.replace(/^#!.*/, '')), { filename: JOB + 'main.js' })
    return false
  } catch {
    return true
  }
}

// A program's file lies apart from its workspace, but it names its own files as if it lay there.
function lookInWorkspaceFirst(main, typescript) {
  const lookup = Module._resolveLookupPaths
  const near = Module._nodeModulePaths(WORKSPACE)
  Module._resolveLookupPaths = function (request, parent) {
    const paths = lookup.call(this, request, parent)
    if (paths === null || parent?.filename !== main) return paths
    return /^\.{1,2}(?:\/|$)/.test(request) ? [WORKSPACE, ...paths] : [...near, ...paths]
  }
  if (!typescript && namesFiles(fs.readFileSync(main, 'utf8'))) registerHooks()
}

// Hooks cost a thread in older versions of Node: only a program that imports what is not built in pays for them.
function namesFiles(source) {
  if (/\bimport\s*\(\s*[^'"\s]/.test(source)) return true
  const named = source.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g)
  return Array.from(named, (match) => match[1]).some((name) => !Module.isBuiltin(name))
}

function registerHooks() {
  Module.register('file:///run/guest/node/hooks.mjs')
}

function handOver() {
  const record = Buffer.from(globalRecord())
  for (let sent = 0; sent < record.length; ) sent += fs.writeSync(7, record, sent)
}

function globalRecord() {
  try {
    const value = globalThis.result
    return value === undefined ? '' : recordOf(value)
  } catch (problem) {
    return line({ unfit: said(problem) })
  }
}

function recordOf(value) {
  let text
  try {
    text = jsonOf(value)
  } catch (problem) {
    return line({ unfit: said(problem) })
  }
  if (text === undefined) return line({ unfit: `a ${typeof value} cannot be written as JSON` })
  const bytes = Buffer.byteLength(text)
  if (bytes <= VALUE_BYTES_MAX) return `{"value":${text}}\n`
  try {
    return line({ bytes, file: spill(text) })
  } catch (problem) {
    return line({ unfit: `${bytes} bytes are too many to carry, and no file could be written: ${problem.message}` })
  }
}

const line = (members) => JSON.stringify(members) + '\n'

function said(problem) {
  try {
    return String(problem).slice(0, 500)
  } catch {
    return 'an error that cannot be shown'
  }
}

// What JSON has no word for is left out by JSON.stringify, or becomes null or {}, without a word. Here it is an error,
// but for members that are undefined: that is how an object says that it has none of that name.
function jsonOf(value) {
  let top = true
  return JSON.stringify(value, function (key, held) {
    const kind = top ? foreignObject(held, value) || foreignNumber(held) : foreign(held, this, key)
    top = false
    if (kind) throw new TypeError(`${kind} is not JSON` + (key ? ` (at ${JSON.stringify(key.slice(0, 100))})` : ''))
    return held
  })
}

function foreign(held, holder, key) {
  if (typeof held === 'function' || typeof held === 'symbol') return `a ${typeof held}`
  if (held === undefined && Array.isArray(holder)) return 'undefined'
  return foreignNumber(held) || foreignObject(held, held === null ? holder[key] : held)
}

const foreignNumber = (held) => (typeof held === 'number' && !Number.isFinite(held) ? String(held) : '')

// Objects that hide what they hold.
const HIDING = {
  isMap: 'a Map',
  isSet: 'a Set',
  isWeakMap: 'a WeakMap',
  isWeakSet: 'a WeakSet',
  isPromise: 'a Promise',
  isRegExp: 'a RegExp',
  isNativeError: 'an Error',
  isAnyArrayBuffer: 'an ArrayBuffer'
}

function foreignObject(held, before) {
  if (held === null) return types.isDate(before) ? 'an invalid Date' : ''
  if (typeof held !== 'object') return ''
  const found = Object.keys(HIDING).find((test) => types[test](held))
  return found ? HIDING[found] : ''
}

// Writes to the first free name; a program's own file is never touched.
function spill(text) {
  for (let number = 0; number < 1000; number++) {
    const path = `${WORKSPACE}result${number ? '-' + number : ''}.json`
    try {
      fs.writeFileSync(path, text, { flag: 'wx' })
      return path
    } catch (problem) {
      if (problem.code !== 'EEXIST') throw problem
    }
  }
  throw new Error('every name is taken')
}
