import type { recordingSettings } from './settings.ts'

/** A part of the screen of recordings' settings. */
export const settingGroups = ['sessions', 'pages', 'contents'] as const
export type SettingGroup = (typeof settingGroups)[number]

/** Where a setting stands on the screen, and its title there; in the order of the screen. */
export const shownSettings: Readonly<
  Record<keyof typeof recordingSettings, { readonly group: SettingGroup; readonly title: string }>
> = {
  recordSessions: { group: 'sessions', title: 'Record sessions' },
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
  recordCanvas: { group: 'contents', title: 'Canvas' },
  recordCanvasFps: { group: 'contents', title: 'Canvas pictures a second' },
}
