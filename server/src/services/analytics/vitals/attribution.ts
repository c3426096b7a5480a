import { isObject } from '../../../ground/json/object.ts'
import type { VitalVisit } from './schemas.ts'
import type { Vital } from './selection.ts'

/** Names of what the library `web-vitals` attributes a value to; posthog-js passes these on (analytics §3). */
const elementNames = {
  LCP: ['target', 'element'],
  INP: ['interactionTarget'],
  CLS: ['largestShiftTarget'],
  FCP: [],
} as const satisfies Readonly<Record<Vital, readonly string[]>>

const partNames = {
  LCP: [
    ['timeToFirstByte', 'Until the first byte'],
    ['resourceLoadDelay', 'Until the resource is asked for'],
    ['resourceLoadDuration', 'While it loads'],
    ['elementRenderDelay', 'Until it is seen'],
  ],
  INP: [
    ['inputDelay', 'Until the handlers run'],
    ['processingDuration', 'While they run'],
    ['presentationDelay', 'Until the answer is seen'],
  ],
  CLS: [],
  FCP: [
    ['timeToFirstByte', 'Until the first byte'],
    ['firstByteToFCP', 'Until the content is seen'],
  ],
} as const satisfies Readonly<Record<Vital, readonly (readonly [name: string, words: string])[]>>

const longestText = 500

/** What a browser attributes a value to. Anybody may send anything: what is of another form is left out. */
export function readAttribution(vital: Vital, json: string): Pick<VitalVisit, 'element' | 'resource' | 'parts'> {
  const said: unknown = json === '' ? null : JSON.parse(json)
  const facts = isObject(said) ? said : {}
  const textOf = (name: string): string | null => {
    const value = facts[name]
    return typeof value === 'string' && value !== '' ? value.slice(0, longestText) : null
  }
  return {
    element: elementNames[vital].map(textOf).find((text) => text !== null) ?? null,
    resource: vital === 'LCP' ? textOf('url') : null,
    parts: partNames[vital].flatMap(([name, words]) => {
      const ms = facts[name]
      return typeof ms === 'number' && ms >= 0 ? [{ name: words, ms }] : []
    }),
  }
}
