import type { operations } from './api.gen.ts'
import type { Answer, Schemas } from './schemas/answer.ts'

export type * from './schemas/flags.ts'
export type * from './schemas/operations.ts'

/** The person in front of the screen, as far as is known. */
export type PersonRef = Schemas['PersonRef']

/** A part of a session that was one person's. */
export type SessionPerson = Schemas['SessionPerson']

/** One line of the list of events. */
export type EventSummary = Schemas['EventSummary']

/** An event with all that it says. */
export type EventDetail = Answer<'event'>

/** One line of the list of people. */
export type PersonSummary = Schemas['PersonSummary']

/** A person: who they are, and what is stored of them. */
export type PersonDetail = Answer<'person'>

/** One thing that a person did, or that happened to them. */
export type PersonMoment = Schemas['PersonMoment']

/** What is kept of a person, and would be erased. */
export type ErasurePreview = Answer<'previewErasure'>

/** What keeps a session, a person or a span of time from being removed. */
export type Hold = Schemas['Hold']

/** The erasure of a person, and how far it is. */
export type Erasure = Schemas['PersonErasure']

/** The removal of what was stored of a visitor who withdrew their consent. */
export type Withdrawal = Schemas['Withdrawal']

/** What a person gets of all flags, and why. */
export type PersonFlags = Answer<'personFlags'>

/** One line of the sessions list. */
export type SessionSummary = Schemas['SessionSummary']
/** A filter of that list under a name. */
export type SessionView = Schemas['SessionView']

/** What an operator wrote at a moment of a session. */
export type Note = Schemas['Note']

/** A message that a socket of a session sent or received. */
export type Frame = Schemas['Frame']

/** A session that a request or a message reached by a socket. */
export type Reached = Schemas['Reached']

/** How a request was tied to its session; not exact: probable only, and shown so. */
export type Link = Schemas['Link']

/** What a request and its answer said. */
export type Exchange = Schemas['Exchange']

/** What a request would be answered after some SQL. */
export type WhyTried = Answer<'tryOnRequest'>

/** SQL that ran for a request, with `$n` in place of values. */
export type Statement = Schemas['Statement']

/** One row's change. */
export type Change = Schemas['Change']

/** Column values in PostgreSQL's text form; an absent column is not known. */
export type Values = Readonly<Change['key']>

/** A line that a function logged for a request. */
export type FunctionLogLine = Schemas['FunctionLogLine']

/** A span of one of the team's own servers. */
export type ServerSpan = Schemas['ServerSpan']

/** A log record of one of the team's own servers. */
export type ServerLog = Schemas['ServerLog']

/** A request on a session's timeline, with what it did. */
export type RequestMoment = Schemas['RequestMoment']

/** One thing that happened in the browser, with the requests it caused; or a request that no click caused. */
export type Moment = Schemas['Moment']

/** How the browser's clock was brought onto the server's. */
export type Clock = Schemas['Clock']

/** A session with its timeline. */
export type SessionDetail = Answer<'session'>

/** A group of exceptions, with what it comes to in a range of time. */
export type IssueSummary = Schemas['IssueSummary']

/** An issue: what its exceptions share, and who met them. */
export type IssueDetail = Answer<'error'>

/** One exception, without its stack. */
export type ExceptionSummary = Schemas['ExceptionSummary']

/** One exception with its stack. */
export type ExceptionDetail = Answer<'errorException'>

/** A call on the stack. */
export type StackFrame = Schemas['StackFrame']

/** What the team says of some exceptions. */
export type ErrorRule = Schemas['ErrorRule']

/** One NDJSON line of a recording; the document describes no streams. */
export interface RecordingLine {
  readonly windowId: string
  /** To be added to each event's timestamp for the server's clock. */
  readonly offsetMs: number
  readonly events: readonly unknown[]
}

/** One line of the requests list. */
export type RequestSummary = Schemas['RequestSummary']

/** One request with all it did and where it leads. */
export type RequestDetail = Answer<'request'>

/** The cause of a row's change. */
export type Cause = Schemas['Cause']

/** One change in a row's past and what caused it. */
export type HistoryEntry = Schemas['HistoryEntry']

/** A row's past: changes, where some may be missing, and whether any are recorded. */
export type RowPast = Answer<'rowHistory'>

/** The data of Home; the last 60 minutes, oldest first, none left out. */
export type Overview = Answer<'overview'>

/** The running instance: where it is and what to paste. */
export type Instance = Answer<'getInstance'>

/** One engine's health. */
export type Engine = Instance['engines'][number]

/** A member of the team. */
export type Operator = Answer<'getSession'>['operator']

/** Whether the instance has an owner yet. */
export type Setup = Answer<'getSetup'>

/** A table or view as the catalogue knows it; `history`: its changes are kept. */
export type Table = Answer<'listTables'>['tables'][number]

/** A column as the catalogue knows it. */
export type Column = Table['columns'][number]

/** A page of a table's rows. */
export type RowPage = Answer<'listRows'>

/** One row, values in PostgreSQL's text form. */
export type Row = RowPage['rows'][number]

/** A change of one row that an operator asks for. */
export type RowChange = Schemas['RowChange']

/** A row before and after a change. */
export type SavedChange = Schemas['SavedChange']

/** A change of the past that is to be taken back. */
export type PastChange = Schemas['PastChange']

/** What would take changes back, and what stands against it. */
export type UndoPreview = Answer<'previewUndo'>

/** What saving changes of rows came to. */
export type SaveOutcome = Answer<'saveRowChanges'>

/** A row that is no longer as a change expected it. */
export type RowConflict = Schemas['RowConflict']

/** Rows that name others which are to be deleted. */
export type Dependents = Answer<'rowDependents'>

/** What an import of rows came to. */
export type ImportOutcome = Answer<'importRows'>

/** Rows that a row is tied to by foreign keys. */
export type Related = Answer<'relatedRows'>

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

/** A scheduled job with its next and its last run. */
export type Job = Schemas['Job']

/** One run of a job. */
export type JobRun = Schemas['JobRun']

/** A job, and the time zone of its schedule. */
export type JobDetail = Answer<'job'>

/** A webhook or a request from SQL, beside what asked for it. */
export type Share = Schemas['Share']
export type Send = Schemas['Send']

/** What asked for a webhook or a request from SQL. */
export type SendCause = Schemas['SendCause']

/** A webhook of a table. */
export type Hook = Schemas['Hook']

/** A delivery of a webhook. */
export type Delivery = Schemas['Delivery']

/** A delivery with what was sent and what came back. */
export type DeliveryDetail = Answer<'webhookDelivery'>

/** A request of pg_net. */
export type SentRequest = Schemas['SentRequest']

/** A migration of the project folder, of the database, or of both. */
export type Migration = Schemas['Migration']
export type MigrationFailure = Schemas['MigrationFailure']

/** The project folder and its migrations, the newest first. */
export type MigrationsAnswer = Answer<'migrations'>

/** A copy of the instance. */
export type Backup = Schemas['Backup']

/** Backups, the newest first, and what the schedule does. */
export type BackupsAnswer = Answer<'backups'>

/** A message queue with its numbers. */
export type Queue = Schemas['Queue']

/** A message of a queue. */
export type QueueMessage = Schemas['QueueMessage']

/** A function with the version that answers. */
export type FunctionInfo = Schemas['Function']

/** A kept version of a function. */
export type FunctionVersion = Schemas['FunctionVersion']

/** What a function was called, in parts of a time. */
export type FunctionCalls = Schemas['FunctionCalls']

/** A line of a function's log with its request. */
export type FunctionLogEntry = Schemas['FunctionLogEntry']

/** The answer to a call that an operator made. */
export type InvocationAnswer = Answer<'invokeFunction'>

/** What the settings have call a function, and whether its files can be written. */
export type FunctionTriggers = Answer<'functionTriggers'>

/** A secret that functions find in their environment, without its value. */
export type FunctionSecret = Schemas['FunctionSecret']

/** A secret of the vault, without its value. */
export type Secret = Schemas['Secret']

/** A bucket with the number and the bytes of its objects. */
export type Bucket = Schemas['Bucket']

/** A folder or an object of one folder. */
export type StorageEntry = Schemas['StorageEntry']

/** What is known of an object. */
export type StorageObject = Answer<'storageObject'>

/** A policy of objects or buckets. */
export type StoragePolicy = Schemas['StoragePolicy']

/** A channel that is open, with its numbers. */
export type RealtimeChannel = Schemas['RealtimeChannel']

/** The open channels, the row changes that are asked for, and the stream. */
export type RealtimeChannels = Answer<'realtimeChannels'>

/** One channel with its members and what they track. */
export type RealtimeChannelDetail = Answer<'realtimeChannel'>

/** The caller in whose place an operator joins. */
export type RealtimeCaller = operations['joinRealtimeChannel']['requestBody']['content']['application/json']['caller']

/** A policy of realtime.messages. */
export type RealtimePolicy = Schemas['RealtimePolicy']

/** An access token of the operator, without its secret. */
export type AccessToken = Schemas['AccessToken']

/** An entry of the audit log. */
export type OperatorAction = Schemas['OperatorAction']

/** Why a request was answered as it was. */
export type WhyAnswer = Answer<'why'>

/** What explains an answer, with statements that would change it. */
export type WhyFinding = Schemas['WhyFinding']

/** A table or view that a request touches, row by row. */
export type WhyLook = Schemas['WhyLook']

/** A column or a property that is masked. */
export type Mask = Schemas['Mask']

/** A job that masks what was stored before. */
export type MaskJob = Schemas['MaskJob']

/** What can be masked. */
export type Maskable = Answer<'maskable'>
export type Member = Schemas['Member']
export type Invitation = Schemas['Invitation']

/** An export to a bucket by a schedule. */
export type ScheduledExport = Schemas['ScheduledExport']

/** What is defined of an export; its secret only where it is new. */
export type ExportBody = operations['createExport']['requestBody']['content']['application/json']

/** One run of an export. */
export type ExportRun = Schemas['ExportRun']

/** What a run of SQL came to. */
export type SqlAnswer = Answer<'runSql'>

/** What one statement answered. */
export type SqlResult = Schemas['SqlResult']

/** Why a statement failed. */
export type SqlFailure = Schemas['SqlFailure']

/** A run in the operator's history. */
export type SqlRun = Schemas['SqlRun']

/** A query that the team keeps. */
export type SqlQuery = Schemas['SqlQuery']

/** Where SQL is run. */
export type SqlEngine = SqlQuery['engine']

/** The names that an editor offers. */
export type SqlCatalogue = Answer<'sqlCatalogue'>

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

/** A mail that auth sends, by its name in the protocol. */
export type MailKind = AuthSetup['mails'][number]['kind']

/** Requests over a time. */
export type RequestSeries = Answer<'requestSeries'>

/** A statement without its values, with all its calls in a time. */
export type SlowStatement = Schemas['SlowStatement']

/** The slow statements of a time. */
export type SlowStatements = Answer<'slowStatements'>

/** Something that the database should not have. */
export type Advice = Schemas['Advice']

/** Something that the search found, of one kind. */
export type SearchHit = Schemas['SearchHit']

/** The kinds of what the search finds. */
export type SearchKind = Answer<'search'>['groups'][number]['kind']

/** The last day by the hour, and the hour before it. */
export type OverviewDay = Answer<'overviewDay'>
