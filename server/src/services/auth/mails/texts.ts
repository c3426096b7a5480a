import { defaultText, type MailText } from './default-texts.ts'
import { type MailKind, settingPrefix } from './kinds.ts'
import { isAddress } from './read-text.ts'
import type { MailSettings } from './settings.ts'
import { parseTemplate, type Template } from './template/parse.ts'

/** A mail's text, read. */
export interface ParsedText {
  readonly subject: Template
  readonly html: Template
}

/** Finds the text of each kind of mail: from a setting, a file or an address, else the built-in one. */
export interface MailTexts {
  find(kind: MailKind): Promise<ParsedText>
  /** The built-in text, for when a text of one's own cannot be rendered. */
  builtIn(kind: MailKind): ParsedText
}

export interface MailTextsDeps {
  readonly settings: MailSettings
  readonly now: () => Date
  /** Reads a file of the project, or an address, as text; bounded. */
  readonly read: (place: string) => Promise<string>
}

const cachedMs = 10 * 60_000
/** How long a text that could not be read is not asked for again. */
const retryMs = 10_000

interface Cached {
  readonly html: Template
  readonly readAt: number
  readonly triedAt: number
}

/** The finder of texts. A text of an address is cached for ten minutes, and longer while the address does not answer. */
export function createMailTexts({ settings, now, read }: MailTextsDeps): MailTexts {
  const cache = new Map<string, Cached>()

  async function readTemplate(place: string): Promise<Template | null> {
    const at = now().getTime()
    const known = cache.get(place)
    if (known !== undefined && (at - known.readAt < cachedMs || at - known.triedAt < retryMs)) return known.html
    try {
      const html = parseTemplate(await read(place))
      // A file is read each time: who edits it wants to see it.
      if (isAddress(place)) cache.set(place, { html, readAt: at, triedAt: at })
      return html
    } catch {
      // A mail in other words is better than none.
      if (known !== undefined) cache.set(place, { ...known, triedAt: at })
      return known?.html ?? null
    }
  }

  return {
    builtIn,
    async find(kind) {
      const own = ownText(settings, kind)
      const usual = builtIn(kind)
      const html = own.content === null && own.place !== null ? await readTemplate(own.place) : parsed(own.content)
      return { subject: parsed(own.subject) ?? usual.subject, html: html ?? usual.html }
    },
  }
}

const parsed = (source: string | null): Template | null => (source === null ? null : parseTemplate(source))

function builtIn(kind: MailKind): ParsedText {
  const text: MailText = defaultText(kind)
  return { subject: parseTemplate(text.subject), html: parseTemplate(text.html) }
}

function ownText(settings: MailSettings, kind: MailKind) {
  const prefix = settingPrefix(kind)
  return {
    subject: settings[`${prefix}Subject`],
    content: settings[`${prefix}Content`],
    place: settings[`${prefix}ContentPath`],
  }
}
