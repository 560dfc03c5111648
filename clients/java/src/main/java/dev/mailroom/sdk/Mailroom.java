package dev.mailroom.sdk;

import java.io.InputStream;
import java.net.http.HttpClient;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/** The client of a Mailroom server. It is thread-safe. */
public final class Mailroom {

	private final Transport transport;

	private Mailroom(Transport transport) {
		this.transport = transport;
	}

	/** Creates a client from the environment: MAILROOM_API_KEY and MAILROOM_URL. */
	public static Mailroom create() {
		return builder().build();
	}

	/** Begins a client. */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the same client with other options, for example an idempotency key for one
	 * call.
	 */
	public Mailroom with(UnaryOperator<CallOptions> options) {
		return new Mailroom(this.transport.with(options.apply(this.transport.options())));
	}

	public Emails emails() {
		return new Emails(this.transport);
	}

	public Domains domains() {
		return new Domains(this.transport);
	}

	public TrackingDomains trackingDomains() {
		return new TrackingDomains(this.transport);
	}

	public Templates templates() {
		return new Templates(this.transport);
	}

	public ContactBooks contactBooks() {
		return new ContactBooks(this.transport);
	}

	public Contacts contacts() {
		return new Contacts(this.transport);
	}

	public Campaigns campaigns() {
		return new Campaigns(this.transport);
	}

	public Suppressions suppressions() {
		return new Suppressions(this.transport);
	}

	public Webhooks webhooks() {
		return new Webhooks(this.transport);
	}

	public Inbound inbound() {
		return new Inbound(this.transport);
	}

	public Analytics analytics() {
		return new Analytics(this.transport);
	}

	public Events events() {
		return new Events(this.transport);
	}

	public UsageOperations usage() {
		return new UsageOperations(this.transport);
	}

	public Key key() {
		return new Key(this.transport);
	}

	/**
	 * Calls an operation that is newer than this library. A POST is repeated only with an
	 * idempotency key.
	 * @param body maps, lists, texts, numbers and booleans
	 * @return the body of the response in the same form
	 */
	public @Nullable Object request(String method, String path, @Nullable Object body) {
		Call call = new Call(path, method, path);
		call = (body != null) ? call.json(body) : call;
		return this.transport.any((this.transport.options().idempotencyKey() != null) ? call.repeatable() : call);
	}

	/**
	 * Reads a response while it arrives, such as a stream of events. The caller closes
	 * it.
	 * @param accept the media type, such as {@code text/event-stream}
	 */
	public InputStream stream(String path, String accept) {
		return this.transport.stream(new Call(path, "GET", path).accept(accept));
	}

	@Override
	public String toString() {
		return "Mailroom " + this.transport;
	}

	/** Settings of a client. */
	public static final class Builder {

		private @Nullable String apiKey = System.getenv("MAILROOM_API_KEY");

		private @Nullable String url = System.getenv("MAILROOM_URL");

		private @Nullable String app;

		private @Nullable HttpClient http;

		private CallObserver observer = new CallObserver() {
			@Override
			public <T> T observe(String operation, Supplier<T> call) {
				return call.get();
			}
		};

		private CallOptions options = CallOptions.DEFAULT;

		private Builder() {
		}

		/** Sets the API key. By default it is in MAILROOM_API_KEY. */
		public Builder apiKey(String apiKey) {
			this.apiKey = apiKey;
			return this;
		}

		/**
		 * Sets the address of the API, such as {@code https://mail.example/api}. By
		 * default it is in MAILROOM_URL.
		 */
		public Builder url(String url) {
			this.url = url;
			return this;
		}

		/** Sets the name and version of the calling program, for the User-Agent. */
		public Builder app(String app) {
			this.app = app;
			return this;
		}

		/** Sets the HTTP client, for example one with a proxy or other certificates. */
		public Builder http(HttpClient http) {
			this.http = http;
			return this;
		}

		/** Sets what surrounds each call. */
		public Builder observer(CallObserver observer) {
			this.observer = observer;
			return this;
		}

		/** Sets the options of all calls. */
		public Builder options(CallOptions options) {
			this.options = options;
			return this;
		}

		public Mailroom build() {
			if (this.apiKey == null || this.apiKey.isBlank()) {
				throw new IllegalStateException(
						"There is no API key: set apiKey, or the environment variable MAILROOM_API_KEY");
			}
			if (this.url == null || this.url.isBlank()) {
				throw new IllegalStateException(
						"There is no address: set url, or the environment variable MAILROOM_URL");
			}
			return new Mailroom(new Transport(this.http, this.url, this.apiKey, this.app, this.observer, this.options));
		}

	}

}
