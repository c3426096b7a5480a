import type { captureSettings } from './settings.ts'

/** What a setting is about: events that browsers send by themselves, or recordings of sessions. */
export const settingParts = ['events', 'recordings'] as const
export type SettingPart = (typeof settingParts)[number]

/** A group of a screen of settings. */
export const settingGroups = ['actions', 'experience', 'sessions', 'pages', 'contents'] as const
export type SettingGroup = (typeof settingGroups)[number]

export const partOf = (group: SettingGroup): SettingPart =>
  group === 'actions' || group === 'experience' ? 'events' : 'recordings'

interface ShownSetting {
  readonly group: SettingGroup
  readonly title: string
  /** What it costs a page and the store. Sizes of scripts are packed ones (`groups.test.ts`). */
  readonly costs?: string
}

/** Where a setting stands on the screens, and its title there; in the order of the screens. */
export const shownSettings: Readonly<Record<keyof typeof captureSettings, ShownSetting>> = {
  captureClicks: {
    ...{ group: 'actions', title: 'Clicks, changes and submissions' },
    costs: 'No script; an event for each, with the element and those around it.',
  },
  captureDeadClicks: {
    ...{ group: 'actions', title: 'Dead clicks' },
    costs: 'A script of 8 KiB, which heat maps share; an event for each, with its element twice.',
  },
  captureHeatmaps: {
    ...{ group: 'actions', title: 'Heat maps' },
    costs: 'The script of dead clicks, of 8 KiB; an event every five seconds while the pointer moves.',
  },
  captureExceptions: {
    ...{ group: 'experience', title: 'Exceptions' },
    costs: 'A script of 6 KiB; an event for each, with its stack, ten of a kind at most in quick succession.',
  },
  captureWebVitals: {
    ...{ group: 'experience', title: 'Web vitals' },
    costs: 'A script of 7 KiB; one or two events for each page.',
  },
  captureWebVitalsMetrics: { group: 'experience', title: 'Measured web vitals' },
  recordSessions: { group: 'sessions', title: 'Record sessions', costs: 'A script of 66 KiB.' },
  recordSampleRate: { group: 'sessions', title: 'Sample rate' },
  recordMinimumMs: { group: 'sessions', title: 'Minimum duration' },
  recordUrlTriggers: { group: 'sessions', title: 'Begin at addresses' },
  recordEventTriggers: { group: 'sessions', title: 'Begin at events' },
  recordLinkedFlag: { group: 'sessions', title: 'Begin with a flag' },
  recordTriggerMatch: { group: 'sessions', title: 'Triggers that must fire' },
  recordUrlBlocklist: { group: 'pages', title: 'Pause at addresses' },
  recordMaskInputs: { group: 'pages', title: 'Mask inputs' },
  recordMaskTextSelector: { group: 'pages', title: 'Mask text' },
  recordBlockSelector: { group: 'pages', title: 'Block elements' },
  recordConsole: { group: 'contents', title: 'Console' },
  recordNetworkHeaders: { group: 'contents', title: 'Network headers' },
  recordNetworkBodies: { group: 'contents', title: 'Network bodies' },
  recordNetworkTiming: { group: 'contents', title: 'Network timing' },
  recordCanvas: { group: 'contents', title: 'Canvas' },
  recordCanvasFps: { group: 'contents', title: 'Canvas pictures a second' },
}
