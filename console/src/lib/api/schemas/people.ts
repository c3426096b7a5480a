import type { Answer, Schemas } from './answer.ts'

/** One line of the list of events. */
export type EventSummary = Schemas['EventSummary']

/** An event with all that it says. */
export type EventDetail = Answer<'event'>
export type EventProperties = Answer<'eventProperties'>

/** One line of the list of people. */
export type PersonSummary = Schemas['PersonSummary']

/** A person: who they are, and what is stored of them. */
export type PersonDetail = Answer<'person'>

/** One thing that a person did, or that happened to them. */
export type PersonMoment = Schemas['PersonMoment']

/** What a person gets of all flags, and why. */
export type PersonFlags = Answer<'personFlags'>

/** A group by its type and key. */
export interface GroupName {
  readonly type: string
  readonly key: string
}

/** One line of the list of groups. */
export type GroupSummary = Schemas['GroupSummary']

/** A group with what is stored of it. */
export type GroupDetail = Answer<'group'>

/** A person, or an id without one, whose events named a group. */
export type GroupPerson = Schemas['GroupPerson']

/** A session whose events named a group. */
export type GroupSession = Schemas['GroupSession']

/** What is kept of a person, and would be erased. */
export type ErasurePreview = Answer<'previewErasure'>

/** What keeps a session, a person or a span of time from being removed. */
export type Hold = Schemas['Hold']

/** The erasure of a person, and how far it is. */
export type Erasure = Schemas['PersonErasure']

/** The removal of what was stored of a visitor who withdrew their consent. */
export type Withdrawal = Schemas['Withdrawal']

/** A column or a property that is masked. */
export type Mask = Schemas['Mask']

/** A job that masks what was stored before. */
export type MaskJob = Schemas['MaskJob']

/** What can be masked. */
export type Maskable = Answer<'maskable'>
