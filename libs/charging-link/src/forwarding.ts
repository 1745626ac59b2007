/** An API key's holder's request for an accounting process, as the API has admitted it. */
export interface ForwardedRequest {
  readonly accountId: string;
  readonly apiKeyId: string;
  /** Id of the HTTP request. */
  readonly requestId: string;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** The headers that its operation reads, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null: there is none. */
  readonly body: string | null;
}

/** The answer to it, whole. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The port through which an API process has an accounting process answer requests. */
export interface Forwarding {
  /** Throws AccountingUnavailableError; what was to be changed may be changed nevertheless. */
  forward(request: ForwardedRequest): Promise<ForwardedAnswer>;
}
