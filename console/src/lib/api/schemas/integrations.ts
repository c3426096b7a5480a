import type { Answer, Schemas } from './answer.ts'

/** A scheduled job with its next and its last run. */
export type Job = Schemas['Job']

/** One run of a job. */
export type JobRun = Schemas['JobRun']

/** A job, and the time zone of its schedule. */
export type JobDetail = Answer<'job'>

/** A webhook or a request from SQL, beside what asked for it. */
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

/** A message queue with its numbers. */
export type Queue = Schemas['Queue']

/** A message of a queue. */
export type QueueMessage = Schemas['QueueMessage']

/** A secret of the vault, without its value. */
export type Secret = Schemas['Secret']
