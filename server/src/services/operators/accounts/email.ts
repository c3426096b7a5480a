/** An e-mail address as accounts store it: trimmed, in lower case. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()
