/** A call failed: `type` is one word, `retryable` says whether the same call may succeed later. */
export class ToolError extends Error {
  constructor(type, message, retryable = false, details = {}) {
    super(message)
    this.name = 'ToolError'
    this.type = type
    this.retryable = retryable
    this.details = details
  }

  asObject() {
    const { type, message, retryable, details } = this
    return { type, message, retryable, details }
  }

  static of(error) {
    return new ToolError(error.type ?? 'ToolFailed', error.message ?? '', error.retryable === true, error.details ?? {})
  }
}
