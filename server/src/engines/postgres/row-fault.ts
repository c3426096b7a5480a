const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether PostgreSQL refused rows for what they are: data exceptions (class 22), or values beyond its limits (class 54). */
export const isPostgresRowFault = (error: unknown): boolean => /^(22|54)\w{3}$/.test(codeOf(error))
