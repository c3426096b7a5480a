import { Type } from 'typebox'

/** Text that a person types: a name, an address, a code. */
export const ShortText = Type.String({ minLength: 1, maxLength: 255 })
/** A password, token or ticket. */
export const SecretText = Type.String({ minLength: 1, maxLength: 1024 })
/** Options of a WebAuthn ceremony, as the browser's API takes them. */
export const WebAuthnOptions = Type.Object({}, { additionalProperties: true })
/** A ceremony's options, with the ticket that goes with the browser's response. */
export const CeremonySchema = Type.Object({ ticket: Type.String(), options: WebAuthnOptions })
export const Empty = Type.Null()

/** A schema or `null`. */
export const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
