import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../ground/http/schemas.ts'

export const Secret = Type.Object(
  {
    id: Type.String(),
    name: Nullable(Type.String()),
    description: Type.String(),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'Secret', description: 'Without its value' },
)

export const SecretsPage = Type.Object({
  installed: Type.Boolean({ description: 'Whether the extension supabase_vault is created' }),
  secrets: Type.Array(Secret),
  next: Nullable(Type.String(), { description: 'Send it as `after` for the next page' }),
})

const Name = Type.String({ minLength: 1, maxLength: 255 })
const Description = Type.String({ maxLength: 4096 })
const Value = Type.String({ minLength: 1, maxLength: 65_536 })

export const NewSecretBody = Type.Object({ name: Name, description: Description, secret: Value })
export const SecretChangeBody = Type.Partial(NewSecretBody)

export type Secret = Static<typeof Secret>
export type SecretsPage = Static<typeof SecretsPage>
