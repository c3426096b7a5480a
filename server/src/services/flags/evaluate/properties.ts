import type { JsonObject } from '../../../ground/json/object.ts'
import { readDate } from './dates.ts'
import { readVersion, type Version } from './semver.ts'
import { comparedText, foldAscii, isTrueValue, numberOf, plainText } from './text.ts'

/** A property's value in the forms that operators compare: each is made when it is first asked for, for all filters. */
export class Reading {
  readonly value: unknown
  #plain: string | undefined
  #folded: string | undefined
  #compared: string | undefined
  #number: number | undefined
  #isTrue: boolean | undefined
  #instant: number | null | undefined
  #version: Version | null | undefined

  constructor(value: unknown) {
    this.value = value
  }

  /** `plainText` of the value. */
  get plain(): string {
    this.#plain ??= plainText(this.value)
    return this.#plain
  }

  /** The plain text with small letters for A to Z. */
  get folded(): string {
    this.#folded ??= foldAscii(this.plain)
    return this.#folded
  }

  /** The text that equality compares, in small letters. */
  get compared(): string {
    this.#compared ??= comparedText(this.value).toLowerCase()
    return this.#compared
  }

  /** The number that the value is or begins with; NaN without one. */
  get number(): number {
    this.#number ??= numberOf(this.value)
    return this.#number
  }

  get isTrue(): boolean {
    this.#isTrue ??= isTrueValue(this.value)
    return this.#isTrue
  }

  /** Milliseconds since 1970; null for what is no date. */
  get instant(): number | null {
    if (this.#instant === undefined) this.#instant = readDate(this.value)
    return this.#instant
  }

  /** Null for what is no version. */
  get version(): Version | null {
    if (this.#version === undefined) this.#version = readVersion(this.plain)
    return this.#version
  }
}

/** The properties of a person, a group or a row; each that is asked for is looked up and read once. */
export class Properties {
  readonly #source: JsonObject
  readonly #readings = new Map<string, Reading | null>()

  constructor(source: JsonObject) {
    this.#source = source
  }

  /** Null where there is no such property. */
  find(name: string): Reading | null {
    const known = this.#readings.get(name)
    if (known !== undefined) return known
    const reading = Object.hasOwn(this.#source, name) ? new Reading(this.#source[name]) : null
    this.#readings.set(name, reading)
    return reading
  }
}
