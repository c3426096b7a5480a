import type { Answer, Schemas } from './answer.ts'

/** A member of the team. */
export type Operator = Answer<'getSession'>['operator']

/** Whether the instance has an owner yet. */
export type Setup = Answer<'getSetup'>

/** The sessions of an operator, and the factors that the account requires beside the password. */
export type Access = Answer<'getAccess'>

/** The operator who signed in, or the second step that is required. */
export type SignIn = Answer<'signIn'>

/** The second step of a sign-in. */
export type SecondStep = NonNullable<SignIn['secondStep']>

/** A passkey ceremony's options, and the ticket to send its result with. */
export type Ceremony = Answer<'beginPasskey'>

/** The answer to a new factor: recovery codes with the first one. */
export type NewFactor = Answer<'confirmTotp'>

/** An access token of the operator, without its secret. */
export type AccessToken = Schemas['AccessToken']

/** An entry of the audit log. */
export type OperatorAction = Schemas['OperatorAction']

/** An operator, as the team sees them. */
export type Member = Schemas['Member']

/** A link by which a person joins the team, not used yet. */
export type Invitation = Schemas['Invitation']
