const suspect = /[\0\ud800-\udfff]/

/** A text that both engines keep: without NUL and halves of surrogate pairs, cut at `longest` characters. */
export const clean = (text: string, longest: number): string => {
  const cut = text.length > longest ? text.slice(0, longest) : text
  return suspect.test(cut) ? cut.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\ufffd') : cut
}
