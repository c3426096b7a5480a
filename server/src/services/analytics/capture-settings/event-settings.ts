import Type from 'typebox'
import { setting, type Values } from '../../../ground/settings/setting.ts'
import { vitals } from '../vitals/selection.ts'

/** What browsers send events of by themselves. */
export const eventSettings = {
  captureClicks: setting(Type.Boolean(), {
    default: true,
    description: 'Whether browsers are told to capture clicks, changes and submissions by themselves.',
  }),
  captureDeadClicks: setting(Type.Boolean(), {
    default: false,
    description: 'Whether browsers are told to capture clicks that nothing on the page answers.',
  }),
  captureHeatmaps: setting(Type.Boolean(), {
    default: false,
    description: 'Whether browsers are told to send where on a page people click and move.',
  }),
  captureExceptions: setting(Type.Boolean(), {
    default: true,
    description: 'Whether browsers are told to capture uncaught exceptions.',
  }),
  captureWebVitals: setting(Type.Boolean(), {
    default: true,
    description: 'Whether browsers are told to measure web vitals.',
  }),
  captureWebVitalsMetrics: setting(Type.Array(Type.Enum([...vitals]), { uniqueItems: true }), {
    default: [...vitals],
    description:
      'Which web vitals browsers measure: when the largest content is seen (LCP), how long answers to clicks and keys take (INP), how far contents shift (CLS), when the first content is seen (FCP).',
  }),
} as const

/** The values of `eventSettings`. */
export type EventSettings = Values<typeof eventSettings>
