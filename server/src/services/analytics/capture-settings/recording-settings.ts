import Type from 'typebox'
import { matching, setting, type Values } from '../../../ground/settings/setting.ts'

function isPattern(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}

const pattern = matching({ allowed: 'a regular expression', fits: isPattern })

/**
 * Which sessions browsers record, and what they leave out. What neither the environment nor a file says, an owner
 * changes in the console (`capture-rules.ts`); what an application says in `posthog.init` wins.
 */
export const recordingSettings = {
  recordSessions: setting(Type.Boolean(), {
    default: true,
    description: 'Whether browsers are told to record sessions.',
  }),
  recordConsole: setting(Type.Boolean(), {
    default: true,
    description: 'Whether recordings hold the lines of the browser’s console.',
  }),
  recordNetworkHeaders: setting(Type.Boolean(), {
    default: true,
    description:
      'Whether recordings hold the headers of requests and answers, without credentials. Answers of Clew name their request there.',
  }),
  recordNetworkBodies: setting(Type.Boolean(), {
    default: false,
    description: 'Whether recordings hold the bodies of requests and answers, without credentials.',
  }),
  recordNetworkTiming: setting(Type.Boolean(), {
    default: true,
    description:
      'Whether recordings hold how long pages, scripts, styles, images and calls of other servers took to load. Calls of the application with their headers are a setting of their own.',
  }),
  recordCanvas: setting(Type.Boolean(), {
    default: false,
    description: 'Whether recordings hold pictures of canvas elements.',
  }),
  recordCanvasFps: setting(Type.Integer({ minimum: 1, maximum: 12 }), {
    default: 3,
    description: 'Pictures of a canvas that are recorded in a second.',
  }),
  recordSampleRate: setting(Type.Number({ minimum: 0, maximum: 1 }), {
    default: 1,
    description: 'The part of the sessions that is recorded, from 0 to 1.',
  }),
  recordMinimumMs: setting(Type.Integer({ minimum: 0, maximum: 30_000 }), {
    default: 0,
    description: 'How long a session lasts before its recording is sent, in milliseconds.',
  }),
  recordUrlTriggers: setting(Type.Array(pattern), {
    default: [],
    description: 'Regular expressions of addresses: a recording begins at the first page that fits one of them.',
  }),
  recordUrlBlocklist: setting(Type.Array(pattern), {
    default: [],
    description: 'Regular expressions of addresses: a recording pauses while the page fits one of them.',
  }),
  recordEventTriggers: setting(Type.Array(Type.String({ minLength: 1 })), {
    default: [],
    description: 'Names of events: a recording begins at the first of them.',
  }),
  recordLinkedFlag: setting(Type.String(), {
    default: '',
    description: 'The key of a feature flag: sessions are recorded for whom it is on; empty for none.',
  }),
  recordTriggerMatch: setting(Type.Enum(['any', 'all']), {
    default: 'all',
    description: 'Whether one trigger suffices, or each kind of them (address, event, flag, sample) must have fired.',
  }),
  recordMaskInputs: setting(Type.Boolean(), {
    default: true,
    description: 'Whether recordings show asterisks for what is typed; passwords are never recorded.',
  }),
  recordMaskTextSelector: setting(Type.String(), {
    default: '',
    description: 'A CSS selector of elements whose text is recorded as asterisks; “*” for all text; empty for none.',
  }),
  recordBlockSelector: setting(Type.String(), {
    default: '',
    description: 'A CSS selector of elements that are recorded as empty boxes; empty for none.',
  }),
} as const

/** The values of `recordingSettings`. */
export type RecordingSettings = Values<typeof recordingSettings>
