'use strict'
// The stateful part of the Node guest: cells come one after another and run in one global scope.
//
// A cell has ended when its last statement has, with all that it awaits, and when nothing it started is under way any
// more. Servers and intervals do not end by themselves: they stay, and so does what earlier cells left. After each
// cell the server is sent one record. `process.exit` ends the interpreter, as it always does; an error that nobody
// caught ends the cell alone.

const fs = require('node:fs')
const inspector = require('node:inspector')
const Module = require('node:module')
const { inspect } = require('node:util')
const vm = require('node:vm')
const { IMPORT, SyntaxErrorText, javascriptOf, scriptOf } = require('./cells.cjs')

const LOOK_MILLIS_MAX = 50
const SHOWN_LENGTH_MAX = 8000
const GUARDED = Symbol.for('caisson.guarded')
const TAKEN = Symbol.for('caisson.taken')

// By it the package `caisson` knows that a connection is that of an earlier cell, before it hears that it was closed.
const CELL = Symbol.for('caisson.cell')

// Of a job: no entry of one is empty.
const END = Buffer.alloc(2)

// They wait for others, for as long as they are there.
const STAYING = new Set(['TCPServerWrap', 'PipeServerWrap', 'UDPWrap', 'SignalWrap', 'FSEventWrap', 'StatWatcher'])

const { clearTimeout, setImmediate, setInterval, setTimeout } = globalThis

/** Imports as if from a file of that name. What Node thinks of how it is done is no news for a program. */
function importerFor(filename) {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    const importModuleDynamically = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER
    const script = new vm.Script('(name, options) => import(name, options)', { filename, importModuleDynamically })
    const importer = script.runInThisContext()
    importer('node:fs')
    return importer
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Where the tools of a run are; what the workspace has under such a name comes first. */
function nameOf(name) {
  const [, path] = /^(?:\.{1,2}\/)+servers\/(.+)$/.exec(name) ?? []
  if ((name !== 'caisson' && !path) || !fs.existsSync('/run/job/door')) return name
  if (path) return fs.existsSync(`/workspace/servers/${path}`) ? name : `/run/job/servers/${path}`
  return fs.existsSync('/workspace/node_modules/caisson') ? name : '/run/guest/lib/node/caisson/index.mjs'
}

class Session {
  #typescript
  #recordOf
  #parse
  #giveInput
  #hasInput = false
  #console = new inspector.Session()
  #intervals = new Set()
  #maps = new Map()
  #running = null
  #streams = []

  /** @param parse, `recordOf` and `giveInput` are the guest's: what a job is, how a value is written, where input is */
  constructor(typescript, parse, recordOf, giveInput) {
    this.#typescript = typescript
    this.#parse = parse
    this.#recordOf = recordOf
    this.#giveInput = giveInput
  }

  begin(job) {
    // Once they are used they count as something under way; they are none of a cell's doing.
    this.#streams = [process.stdout, process.stderr]
    this.#console.connect()
    this.#offerGlobals()
    process.on('SIGINT', () => this.#running?.interrupt())
    process.on('uncaughtException', (problem) => this.#fail(problem))
    process.on('exit', () => this.#running && this.#send(this.#running, ''))
    this.#listen()
    this.#take(job)
  }

  #take({ cell, input, display }) {
    if (input || this.#hasInput) this.#offerInput(input ?? '/dev/null')
    this.#hasInput = Boolean(input)
    this.#run(cell, display)
  }

  // A stream is made when it is first asked for, and anew for each cell that has an input of its own.
  #offerInput(path) {
    this.#giveInput(path)
    let made
    const get = () => (made ??= new fs.ReadStream(null, { fd: 0, autoClose: false }))
    Object.defineProperty(process, 'stdin', { get, configurable: true, enumerable: true })
  }

  // Nothing can move a descriptor here, but what was opened again stays when the first is closed.
  #listen() {
    const jobs = fs.openSync('/proc/self/fd/0', 'r')
    fs.closeSync(0)
    fs.openSync('/dev/null', 'r')
    let received = Buffer.alloc(0)
    const socket = new (require('node:net').Socket)({ fd: jobs, readable: true, writable: false })
    socket.on('data', (part) => {
      received = Buffer.concat([received, part])
      for (let end = received.indexOf(END); end >= 0; end = received.indexOf(END)) {
        const job = this.#parse(received.subarray(0, end))
        received = received.subarray(end + END.length)
        // Signals are handled behind everything else that came: an interrupt of the cell before is over by then.
        setImmediate(() => (job.interrupt ? this.#running?.interrupt() : this.#take(job)))
      }
    })
    socket.on('end', () => process.reallyExit(125))
  }

  #offerGlobals() {
    const main = '/workspace/main.js'
    const module = new Module(main)
    const require = Module.createRequire(main)
    Object.assign(globalThis, { require, module, exports: module.exports, __dirname: '/workspace' })
    const importer = importerFor(main)
    const value = (name, options) => importer(nameOf(name), options)
    Object.defineProperty(globalThis, IMPORT, { value })
    globalThis.setInterval = Object.assign((...all) => this.#interval(setInterval(...all)), setInterval)
  }

  #interval(made) {
    this.#intervals.add(made)
    return made
  }

  #run(cell, display) {
    const before = this.#valueOf()
    const source = fs.readFileSync(cell, 'utf8')
    const interrupt = () => this.#interrupted(running)
    const running = { cell, source, before, display, shown: '', code: 0, there: this.#active(), interrupt }
    this.#running = running
    globalThis.__filename = cell
    globalThis[CELL] = cell
    try {
      this.#evaluate(this.#script(source, cell), () => this.#settle(running, 1))
    } catch (problem) {
      if (problem.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') return this.#interrupted(running)
      this.#fail(problem)
      this.#end(running)
    }
  }

  #script(source, cell) {
    if (!this.#typescript) return scriptOf(source, cell)
    const { text, map } = javascriptOf(source, cell)
    this.#maps.set(cell, map)
    return scriptOf(text, cell)
  }

  // Run from a script that an interrupt can break, however busy it is.
  #evaluate(script, done) {
    const expression = `${script}\n//# sourceURL=${this.#running.cell}`
    const options = { expression, replMode: true, awaitPromise: true, objectGroup: 'cell' }
    const running = this.#running
    globalThis[GUARDED] = () =>
      this.#console.post('Runtime.evaluate', options, (failed, answer) => {
        if (this.#running !== running) return
        if (failed) this.#fail(new Error(failed.message))
        else if (answer.exceptionDetails) this.#failRemotely(answer.exceptionDetails)
        else if (running.display) running.shown = this.#shown(answer.result)
        this.#console.post('Runtime.releaseObjectGroup', { objectGroup: 'cell' })
        done()
      })
    vm.runInThisContext('globalThis[Symbol.for("caisson.guarded")]()', { breakOnSigint: true, filename: __filename })
  }

  // The console has the error by a number; it is fetched by handing it to a function of ours.
  #failRemotely({ exception, lineNumber, columnNumber }) {
    if (exception.className === 'SyntaxError' && !exception.description.includes('/run/job/')) {
      return this.#failAt(exception, lineNumber, columnNumber)
    }
    this.#fail(this.#fetched(exception))
  }

  #fetched({ value, objectId }) {
    let fetched = value
    globalThis[TAKEN] = (each) => (fetched = each)
    const functionDeclaration = 'function() { globalThis[Symbol.for("caisson.taken")](this) }'
    if (objectId) this.#console.post('Runtime.callFunctionOn', { objectId, functionDeclaration })
    delete globalThis[TAKEN]
    return fetched
  }

  // The last expression, as a console would show it.
  #shown(result) {
    if (result.type === 'undefined') return ''
    const text = result.unserializableValue ?? inspect(this.#fetched(result))
    const rest = text.length - SHOWN_LENGTH_MAX
    const cut = rest > 0 ? `${text.slice(0, SHOWN_LENGTH_MAX)}\n[... ${rest} characters omitted ...]` : text
    return `,"display":${JSON.stringify([{ media_type: 'text/plain', text: cut }])}`
  }

  #failAt(exception, line, column) {
    const { cell, source } = this.#running
    const [message] = exception.description.split('\n')
    const text = this.#typescript ? '' : `${source.split('\n')[line] ?? ''}\n${' '.repeat(column)}^\n`
    this.#complain(`${cell}:${line + 1}\n${text}\n${message}`)
  }

  #fail(problem) {
    if (problem instanceof SyntaxErrorText) return this.#complain(problem.message)
    const shown = problem instanceof Error ? inspect(problem) : `Uncaught ${inspect(problem)}`
    const foreign = /^\s+at .*(?:node:inspector|node:vm|\/run\/guest\/)/
    const own = shown.split('\n').reduce((kept, line) => {
      if (!foreign.test(line)) return [...kept, line]
      // What follows the frames of an error opens behind the last of them.
      return line.endsWith('{') ? [...kept.slice(0, -1), `${kept.at(-1)} {`] : kept
    }, [])
    this.#complain(this.#mapped(own.join('\n')))
  }

  #complain(text) {
    if (this.#running) this.#running.code = 1
    this.#streams[1].write(text.endsWith('\n') ? text : text + '\n')
  }

  #mapped(text) {
    return text.replace(/(\/run\/job\/[\w-]+\.ts):(\d+):(\d+)/g, (all, cell, line, column) => {
      const entry = this.#maps.get(cell)?.findEntry(line - 1, column - 1)
      return entry?.originalLine === undefined ? all : `${cell}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    })
  }

  #interrupted(running) {
    if (this.#running !== running) return
    this.#streams[1].write('Interrupted\n')
    running.code = 130
    this.#end(running)
  }

  // What the cell started may still be under way: looked at again and again, less and less often.
  #settle(running, pause) {
    setImmediate(() => {
      if (this.#running !== running) return
      if (this.#isIdle(running)) return this.#end(running)
      setTimeout(() => this.#settle(running, Math.min(pause * 2, LOOK_MILLIS_MAX)), pause)
    })
  }

  #isIdle(running) {
    const now = this.#active()
    return [...now].every(([kind, count]) => count <= (running.there.get(kind) ?? 0))
  }

  /** How much is under way, by its kind. */
  #active() {
    const counts = new Map()
    for (const kind of process.getActiveResourcesInfo()) {
      if (!STAYING.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
    for (const made of this.#intervals) if (made._destroyed) this.#intervals.delete(made)
    const staying = [...this.#intervals].filter((made) => made.hasRef()).length
    counts.set('Timeout', (counts.get('Timeout') ?? 0) - staying)
    counts.delete('Immediate')
    return counts
  }

  #end(running) {
    this.#send(running, `,"code":${running.code}${running.shown}`)
    this.#running = null
  }

  // A cell hands over `result` when it names it or has changed it.
  #send({ cell, source, before }, code) {
    const value = this.#valueOf()
    const unchanged = value === undefined || (value === before && !/\bresult\b/.test(source))
    const rest = unchanged ? '}\n' : ',' + this.#recordOf(value).slice(1)
    const record = Buffer.from(`{"cell":${JSON.stringify(cell)}${code}${rest}`)
    for (let sent = 0; sent < record.length; ) sent += fs.writeSync(7, record, sent)
  }

  #valueOf() {
    let value
    globalThis[TAKEN] = (each) => (value = each)
    const expression = 'typeof result === "undefined" || globalThis[Symbol.for("caisson.taken")](result)'
    this.#console.post('Runtime.evaluate', { expression, replMode: true, returnByValue: true })
    delete globalThis[TAKEN]
    return value
  }
}

module.exports = { Session }
