import type { Values } from '../../../ground/settings/setting.ts'
import { eventSettings } from './event-settings.ts'
import { recordingSettings } from './recording-settings.ts'

/** What browsers are told to send. */
export const captureSettings = { ...recordingSettings, ...eventSettings } as const

/** The values of `captureSettings`. */
export type CaptureSettings = Values<typeof captureSettings>
