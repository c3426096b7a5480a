import type { operations } from '../api.gen.ts'
import type { Answer, Schemas } from './answer.ts'

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
