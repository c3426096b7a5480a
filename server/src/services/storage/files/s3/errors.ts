/** Whether an error of the SDK has one of these names: S3's codes. */
export const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name)
