import { Type } from 'typebox'
import { Nullable, WebAuthnOptions } from './schemas.ts'

/** The OpenAPI tag of the open routes. */
export const tags = ['operators']

/** The role of an operator. */
export const RoleSchema = Type.Union([
  Type.Literal('owner'),
  Type.Literal('developer'),
  Type.Literal('analyst'),
  Type.Literal('viewer'),
])
const OperatorSchema = Type.Object({ id: Type.String(), name: Type.String(), email: Type.String(), role: RoleSchema })

export const SignedInSchema = Type.Object({ operator: OperatorSchema })

/** The operator who signed in, or the second step that the account requires. */
export const SignInSchema = Type.Object({
  operator: Nullable(OperatorSchema),
  secondStep: Nullable(
    Type.Object({
      ticket: Type.String(),
      hasTotp: Type.Boolean(),
      passkeyOptions: Nullable(WebAuthnOptions),
    }),
  ),
})
