import { type Static, Type } from 'typebox'
import { Nullable } from './parts.ts'

/** Who was in front of the screen, as far as it is known. */
export const PersonRef = Type.Object(
  {
    distinctId: Type.String(),
    personId: Nullable(Type.String()),
    userId: Nullable(Type.String({ description: 'The auth user, learnt from tagged calls that carried a token' })),
    email: Nullable(Type.String()),
    name: Nullable(Type.String()),
  },
  { $id: 'PersonRef' },
)

export type PersonRef = Static<typeof PersonRef>
