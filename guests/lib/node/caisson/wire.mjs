// The connection to the server: frames of four bytes that say how long they are, and one JSON object each.
//
// It keeps the program alive while a call is under way and not otherwise. A worker thread has one of its own.

import { connect } from 'node:net'
import { ToolError } from './errors.mjs'

const FRAME_MAX = 1 << 20
const CELL = Symbol.for('caisson.cell')

class Connection {
  #socket
  #pending = new Map()
  #last = 0
  #parts = []
  #held = 0
  #need = 4
  #body = false
  #changed = false
  #greeted = settler()
  closed = false
  cell = globalThis[CELL]

  constructor(host, port) {
    this.#socket = connect({ host, port, noDelay: true })
    this.#socket.unref()
    this.#socket.on('data', (part) => this.#receive(part))
    this.#socket.on('error', () => this.#over())
    this.#socket.on('close', () => this.#over())
    this.#send({ hello: 1, language: 'node' })
  }

  /** Whether the tools are others now: known once the server has said who it is. */
  async changed() {
    if (this.#pending.size === 0) this.#socket.ref()
    await this.#greeted.promise
    if (this.#pending.size === 0) this.#socket.unref()
    return this.#changed
  }

  begin(request, signal) {
    const { promise, resolve, reject } = settler()
    const id = ++this.#last
    this.#send({ id, ...request })
    if (this.#pending.size === 0) this.#socket.ref()
    const abort = () => this.#send({ cancel: id })
    signal?.addEventListener('abort', abort, { once: true })
    const settled = () => signal?.removeEventListener('abort', abort)
    this.#pending.set(id, { resolve, reject, settled })
    return promise
  }

  #send(frame) {
    const text = Buffer.from(JSON.stringify(frame))
    if (text.length > FRAME_MAX) {
      throw new ToolError('TooLarge', `The arguments take ${text.length} bytes; at most ${FRAME_MAX} fit.`)
    }
    const whole = Buffer.allocUnsafe(4 + text.length)
    whole.writeUInt32BE(text.length)
    text.copy(whole, 4)
    this.#socket.write(whole)
  }

  #receive(part) {
    this.#parts.push(part)
    this.#held += part.length
    while (this.#held >= this.#need) {
      const all = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts)
      const taken = all.subarray(0, this.#need)
      this.#parts = all.length > this.#need ? [all.subarray(this.#need)] : []
      this.#held = all.length - this.#need
      if (this.#body) this.#take(JSON.parse(taken.toString('utf8')))
      this.#need = this.#body ? 4 : taken.readUInt32BE()
      this.#body = !this.#body
    }
  }

  #take(frame) {
    if (!('ok' in frame)) {
      this.#changed ||= frame.changed === true
      if ('hello' in frame) this.#greeted.resolve()
      return
    }
    const waiting = this.#pending.get(frame.id)
    this.#pending.delete(frame.id)
    if (this.#pending.size === 0) this.#socket.unref()
    waiting?.settled()
    waiting?.resolve(frame)
  }

  #over() {
    this.closed = true
    this.#greeted.resolve()
    const waiting = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject, settled } of waiting) {
      settled()
      reject(new ToolError('DoorClosed', 'The way to the tools of this run is closed.'))
    }
  }
}

function settler() {
  if (Promise.withResolvers) return Promise.withResolvers()
  const parts = {}
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }))
  return parts
}

let current = null

/** The connection of this program, made when it is first needed, anew in each cell of a session, and when it was closed. */
export function connection() {
  if (current && !current.closed && current.cell === globalThis[CELL]) return current
  const address = process.env.CAISSON_DOOR
  if (!address) throw new ToolError('DoorClosed', 'This run has no tools: see the argument tools of the call.')
  const at = address.lastIndexOf(':')
  current = new Connection(address.slice(0, at), Number(address.slice(at + 1)))
  return current
}
