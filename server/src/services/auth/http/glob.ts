/**
 * Compiles a redirect glob: `*` any run without separators, `**` any run, `?` one non-separator, `[a-z]`, `[!a]`,
 * `{a,b}`, `\` takes the next character literally. Separators are `.` and `/`. The whole text must match.
 */
export function compileGlob(glob: string): RegExp {
  let source = ''
  let depth = 0
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? ''
    if (character === '\\') {
      at += 1
      source += literal(glob[at] ?? '\\')
    } else if (character === '*') {
      const double = glob[at + 1] === '*'
      // A run of three stars means no more than two, and must not repeat a repetition.
      while (glob[at + 1] === '*') at += 1
      source += double ? '.*' : '[^./]*'
    } else if (character === '?') {
      source += '[^./]'
    } else if (character === '[') {
      const end = glob.indexOf(']', at + 2)
      const inside = end === -1 ? '' : glob.slice(at + 1, end)
      const negated = /^[!^]/.test(inside)
      const members = (negated ? inside.slice(1) : inside).replace(/[\\\]^]/g, '\\$&')
      source += end === -1 ? '\\[' : `[${negated ? '^' : ''}${members}]`
      if (end !== -1) at = end
    } else if (character === '{' && glob.indexOf('}', at) !== -1) {
      depth += 1
      source += '(?:'
    } else if (character === '}' && depth > 0) {
      depth -= 1
      source += ')'
    } else if (character === ',' && depth > 0) {
      source += '|'
    } else source += literal(character)
  }
  return new RegExp(`^${source}${')'.repeat(depth)}$`, 's')
}

/** Whether a text can be compiled: `[z-a]`, for one, is no range. */
export function isGlob(text: string): boolean {
  try {
    compileGlob(text)
    return true
  } catch {
    return false
  }
}

const literal = (character: string): string => character.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
