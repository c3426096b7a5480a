import { createInterface } from 'node:readline'
import { messageOf } from '../../ground/errors/message.ts'
import { isObject } from '../../ground/json/object.ts'
import { withConsole } from '../remote/connect.ts'
import type { ConsoleApi } from '../remote/console-api.ts'
import type { RemoteOptions } from '../remote/options.ts'

/**
 * Joins an agent that speaks the Model Context Protocol over standard input and output, a message a line, with the tools of
 * an instance. The instance's answers are those of `/mcp`.
 *
 * @see https://modelcontextprotocol.io/specification/2025-06-18/basic/transports
 */
export const mcp = (options: RemoteOptions): Promise<number> =>
  withConsole(options, async (api) => {
    const underWay = new Set<Promise<void>>()
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === '') continue
      const answering = answer(api, line).finally(() => underWay.delete(answering))
      underWay.add(answering)
    }
    await Promise.all(underWay)
    return 0
  })

/** Answers one message; a notification has no answer. */
async function answer(api: ConsoleApi, line: string): Promise<void> {
  const message = parsed(line)
  const reply = message === undefined ? failure(null, -32_700, 'This line is no JSON.') : await asked(api, message)
  if (reply !== null) process.stdout.write(`${JSON.stringify(reply)}\n`)
}

/** The instance's answer; one that does not come is told as an error, so that the agent does not wait. */
async function asked(api: ConsoleApi, message: object): Promise<unknown> {
  try {
    return await api.send('POST', '/mcp', message)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    return isObject(message) && 'id' in message ? failure(message.id, -32_603, messageOf(error)) : null
  }
}

function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** An error of JSON-RPC 2.0 §5.1. */
const failure = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } })
