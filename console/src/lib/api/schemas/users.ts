import type { Answer, Schemas } from './answer.ts'

/** A user of the application in a list. */
export type UserSummary = Schemas['UserSummary']

/** A user with identities, second factors and sessions. */
export type UserDetail = Answer<'user'>

/** Rows of a table that name a user by a foreign key. */
export type OwnedRows = Answer<'ownedRows'>['tables'][number]

/** A mail of the inbox in a list. */
export type MailSummary = Schemas['MailSummary']

/** A mail of the inbox. */
export type MailDetail = Answer<'mail'>

/** How sign-in is set up. */
export type AuthSetup = Answer<'authSetup'>

/** The instance's own secrets, without their values. */
export type InstanceSecrets = Answer<'instanceSecrets'>
export type RootKeys = Answer<'rootKeys'>

/** What reading the secrets of settings again came to. */
export type SecretReload = Answer<'reloadSecrets'>

/** A mail that auth sends, by its name in the protocol. */
export type MailKind = AuthSetup['mails'][number]['kind']
