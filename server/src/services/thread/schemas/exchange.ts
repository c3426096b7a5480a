import { type Static, Type } from 'typebox'
import { Nullable } from './parts.ts'

/** What one side said. */
const Said = Type.Object({
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  body: Nullable(Type.String({ description: 'Secrets and what is masked are replaced; null where it is left out' })),
  leftOut: Nullable(
    Type.Union([
      Type.Literal('large', { description: 'It is longer than the setting allows' }),
      Type.Literal('kind', { description: 'It is neither JSON nor a form nor plain text' }),
      Type.Literal('masked', { description: 'It names what was masked later' }),
      Type.Literal('off', { description: 'The setting keeps headers only' }),
    ]),
    { description: 'Why there is no body; null where there is one' },
  ),
})

/** What a request and its answer said, as far as the setting keeps it. */
export const Exchange = Type.Object({ request: Said, response: Said }, { $id: 'Exchange' })

export type Exchange = Static<typeof Exchange>
export type Said = Static<typeof Said>
