import type { JsonObject } from '../../../ground/json/object.ts'
import type { OperatorRight } from '../../../ground/model/operator-actions.ts'
import type { CallConsole, ConsoleCall } from '../call.ts'
import { mcpError } from '../errors.ts'
import type { Operation } from './operation.ts'

/** What an agent may call. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** For the model: what the tool answers, and when to use it. */
  readonly description: string
  /** Who is offered it; the routes that it calls check rights of their own. */
  readonly right: OperatorRight
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean
  /** JSON Schema of an object. */
  readonly input: JsonObject
  /** What the audit log names as the target of a call. */
  readonly target: (input: JsonObject) => string
  readonly call: (input: JsonObject, console: CallConsole) => Promise<unknown>
}

/** A tool that is one operation of the console's API. */
export interface OperationTool extends Pick<Tool, 'name' | 'title' | 'description' | 'right'> {
  readonly operation: string
  /** The inputs that agents are offered, each with its description for a model. */
  readonly inputs: Readonly<Record<string, string>>
}

/** Of a call's arguments in the audit log. */
const auditedCharacters = 1_000

/** Joins the declaration of a tool with its operation, whose schemas are the tool's. */
export function operationTool(declared: OperationTool, operation: Operation): Tool {
  const { operation: _, inputs, ...texts } = declared
  const offered = Object.entries(inputs).map(([name, description]) => {
    const input = operation.inputs.get(name)
    if (input === undefined) throw new TypeError(`${declared.operation} has no input ${name}`)
    return { name, description, ...input }
  })
  return {
    ...texts,
    isReadOnly: true,
    input: {
      type: 'object',
      properties: Object.fromEntries(
        // The routes check patterns; programs that read tools' schemas know regular expressions of other kinds.
        offered.map(({ name, description, schema: { pattern: _, ...schema } }) => [name, { ...schema, description }]),
      ),
      required: offered.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      additionalProperties: false,
    },
    target: (input) => JSON.stringify(input).slice(0, auditedCharacters),
    call: (input, console) => console(renderCall(operation, input)),
  }
}

/** Refuses arguments that a tool does not have, and those that lack. The routes check their values. @throws CLEW_MCP_BAD_ARGUMENTS */
export function checkArguments({ input: { properties, required } }: Tool, input: JsonObject): void {
  const known = Object.keys(properties as object)
  const unknown = Object.keys(input).filter((name) => !known.includes(name))
  const missing = (required as readonly string[]).filter((name) => input[name] === undefined)
  if (unknown.length > 0)
    throw mcpError('CLEW_MCP_BAD_ARGUMENTS', {
      message: `There is no argument ${unknown.join(', ')}; there are: ${known.join(', ') || 'none'}.`,
    })
  if (missing.length > 0)
    throw mcpError('CLEW_MCP_BAD_ARGUMENTS', { message: `The arguments lack ${missing.join(', ')}.` })
}

/** The request that a call of an operation is. */
function renderCall({ method, path, inputs }: Operation, input: JsonObject): ConsoleCall {
  const at = (place: string) =>
    Object.entries(input).filter(([name, value]) => inputs.get(name)?.place === place && value !== undefined)
  const address = at('path').reduce(
    (rest, [name, value]) => rest.replace(`{${name}}`, encodeURIComponent(textOf(value))),
    path,
  )
  const query = new URLSearchParams(
    at('query').map(([name, value]): [string, string] => [name, textOf(value)]),
  ).toString()
  return {
    method,
    path: query === '' ? address : `${address}?${query}`,
    ...(method === 'GET' ? {} : { body: Object.fromEntries(at('body')) }),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
