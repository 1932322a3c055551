/** The ids of providers, as far as their types tell them. */

/** The id that the object has itself. */
export type OwnProviderId<P> = P extends { id: infer Id extends string; type: 'oauth' | 'oidc' }
  ? Id
  : never

/** The id in the options, else the own one; without options, `Given` is inferred as `unknown`. */
export type EffectiveProviderId<P> = P extends { options?: { id?: infer Given } | undefined }
  ? Given extends ''
    ? OwnProviderId<P>
    : Given extends string
      ? Given
      : OwnProviderId<P>
  : OwnProviderId<P>

/** The ids of those providers that issue tokens; `string` if the types do not tell one of them. */
export type TokenProviderId<P> = P extends (...args: never[]) => infer Created
  ? OwnProviderId<Created>
  : P extends { type: 'oauth' | 'oidc' }
    ? EffectiveProviderId<P>
    : never
