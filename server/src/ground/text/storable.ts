const suspect = /[\0\ud800-\udfff]/

/** A text that both engines keep: without NUL and halves of surrogate pairs, cut at `longest` characters. */
export function storableText(text: string, longest = Number.POSITIVE_INFINITY): string {
  const cut = text.length > longest ? text.slice(0, longest) : text
  return suspect.test(cut) ? cut.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\ufffd') : cut
}
