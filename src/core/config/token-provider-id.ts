/** The ids of providers, as far as their types tell them. */

/** The id that the object has itself. */
type OwnId<P> = P extends { id: infer Id extends string; type: 'oauth' | 'oidc' } ? Id : never

/** The id in the options, else the own one; without options, `Given` is inferred as `unknown`. */
type EffectiveId<P> = P extends { options?: { id?: infer Given } | undefined }
  ? Given extends ''
    ? OwnId<P>
    : Given extends string
      ? Given
      : OwnId<P>
  : OwnId<P>

/** The ids of those providers that issue tokens; `string` if the types do not tell one of them. */
export type TokenProviderId<P> = P extends (...args: never[]) => infer Created
  ? OwnId<Created>
  : P extends { type: 'oauth' | 'oidc' }
    ? EffectiveId<P>
    : never
