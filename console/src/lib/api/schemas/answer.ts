import type { components, operations } from '../api.gen.ts'

/** The console API's answers by the names the screens use; what they hold is read from the server's OpenAPI document. */
export type Schemas = components['schemas']

/** The body of an operation's successful answer. */
export type Answer<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never
