/** Percent-encodes a text for a query; a surrogate without its other half, which has no encoding, becomes U+FFFD. */
export const percentEncode = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
