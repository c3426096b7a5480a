import type { Variables } from '../source/environment.ts'

/** A shorter value, `true` or `8080`, stands in lines that have nothing to do with it. */
const shortest = 8

/** Takes the values of secrets out of texts: what a function logs is read by more people than its secrets. */
export function createMask(): { readonly hide: (text: string) => string; readonly know: (values: Variables) => void } {
  let hidden: readonly string[] = []
  return {
    hide: (text) => hidden.reduce((masked, value) => masked.replaceAll(value, '•••'), text),
    know(values) {
      const long = Object.values(values).filter((value) => value.length >= shortest)
      // A value may hold another one.
      hidden = [...new Set(long)].sort((a, b) => b.length - a.length)
    },
  }
}
