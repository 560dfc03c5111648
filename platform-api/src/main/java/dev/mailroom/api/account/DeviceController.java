package dev.mailroom.api.account;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mailroom.Refused;
import dev.mailroom.account.ApiKey;
import dev.mailroom.account.DevicePoll;
import dev.mailroom.account.DeviceSignIn;
import dev.mailroom.account.DeviceSignIns;
import dev.mailroom.account.Permission;
import dev.mailroom.account.Secret;
import dev.mailroom.api.http.AtRoot;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.ResolvableType;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.FormHttpMessageReader;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Sign-in of programs without a browser: device authorization grant (RFC 8628) with the
 * errors of RFC 6749 5.2, and its metadata (RFC 8414). The access token is an API key.
 */
@AtRoot
@RestController
class DeviceController {

	private static final String DEVICE_CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

	private static final String FORM = MediaType.APPLICATION_FORM_URLENCODED_VALUE;

	private static final FormHttpMessageReader READER = new FormHttpMessageReader();

	private static final ResolvableType FORM_TYPE = ResolvableType.forClassWithGenerics(MultiValueMap.class,
			String.class, String.class);

	private static final String INVALID_REQUEST = "invalid_request";

	private final DeviceSignIns signIns;

	private final Metadata metadata;

	private final String page;

	DeviceController(DeviceSignIns signIns, @Value("${mailroom.public-url}") String publicUrl,
			@Value("${mailroom.app-url}") String appUrl) {
		this.signIns = signIns;
		this.page = appUrl + "/device";
		this.metadata = Metadata.of(publicUrl);
	}

	@GetMapping("/.well-known/oauth-authorization-server")
	Metadata metadata() {
		return this.metadata;
	}

	@PostMapping(path = "/oauth/device_authorization", consumes = FORM)
	Mono<ResponseEntity<Object>> start(ServerWebExchange exchange) {
		return form(exchange).flatMap((form) -> {
			@Nullable String scope = value(form, "scope");
			List<String> requested = (scope == null) ? List.of()
					: Arrays.stream(scope.split(" ")).filter((name) -> !name.isEmpty()).distinct().toList();
			return this.signIns.start(value(form, "client_id"), requested);
		})
			.map((codes) -> uncached(200).<Object>body(Authorization.of(codes, this.page)))
			.onErrorResume(DeviceController::refused);
	}

	@PostMapping(path = "/oauth/token", consumes = FORM)
	Mono<ResponseEntity<Object>> poll(ServerWebExchange exchange) {
		return form(exchange).flatMap((form) -> {
			String grant = required(form, "grant_type");
			if (!grant.equals(DEVICE_CODE_GRANT)) {
				throw new Wrong("unsupported_grant_type", "The only grant type is " + DEVICE_CODE_GRANT);
			}
			return this.signIns.poll(Secret.of(required(form, "device_code")), required(form, "client_id"));
		}).map(DeviceController::answer).onErrorResume(DeviceController::refused);
	}

	/**
	 * Reads the parameters from the request of this exchange: the form of the exchange
	 * itself would be read past the limit on its body.
	 */
	private static Mono<MultiValueMap<String, String>> form(ServerWebExchange exchange) {
		return READER.readMono(FORM_TYPE, exchange.getRequest(), Map.of())
			.onErrorMap(IllegalArgumentException.class,
					(_) -> new Wrong(INVALID_REQUEST, "The parameters are not encoded correctly"))
			.defaultIfEmpty(new LinkedMultiValueMap<>());
	}

	private static ResponseEntity<Object> answer(DevicePoll poll) {
		return switch (poll) {
			case DevicePoll.Granted granted -> uncached(200).body(Token.of(granted.issued()));
			case DevicePoll.Pending _ -> error("authorization_pending", "The person has not answered yet");
			case DevicePoll.TooEarly _ -> error("slow_down", "Wait 5 seconds longer between two requests from now on");
			case DevicePoll.Expired _ -> error("expired_token", "The person did not answer in time: start again");
			case DevicePoll.Denied _ -> error("access_denied", "The person refused, or may no longer create the key");
			case DevicePoll.Unknown _ ->
				error("invalid_grant", "The device_code is unknown, used, or of another client_id");
		};
	}

	private static String required(MultiValueMap<String, String> form, String name) {
		@Nullable String value = value(form, name);
		if (value == null || value.isEmpty()) {
			throw new Wrong(INVALID_REQUEST, "The parameter " + name + " is missing");
		}
		return value;
	}

	/** RFC 6749 3.2: a parameter must not be repeated. */
	private static @Nullable String value(MultiValueMap<String, String> form, String name) {
		if (form.getOrDefault(name, List.of()).size() > 1) {
			throw new Wrong(INVALID_REQUEST, "The parameter " + name + " is repeated");
		}
		return form.getFirst(name);
	}

	/** Other errors have the format of the API. */
	private static Mono<ResponseEntity<Object>> refused(Throwable error) {
		if (error instanceof Wrong wrong) {
			return Mono.just(error(wrong.error, wrong.description));
		}
		if (!(error instanceof Refused refused)) {
			return Mono.error(error);
		}
		return switch (refused.refusal().kind()) {
			case INVALID -> Mono
				.just(error(refused.details().getFirst().field().equals("scope") ? "invalid_scope" : INVALID_REQUEST,
						refused.message()));
			case LIMITED -> Mono.just(later("slow_down", refused));
			case UNAVAILABLE -> Mono.just(later("temporarily_unavailable", refused));
			default -> Mono.error(refused);
		};
	}

	private static ResponseEntity<Object> later(String error, Refused refused) {
		Duration wait = Objects.requireNonNullElse(refused.retryAfter(), Duration.ofSeconds(1));
		return uncached(refused.refusal().kind().status())
			.header(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, wait.toSeconds())))
			.body(new OAuthError(error, refused.message()));
	}

	private static ResponseEntity<Object> error(String error, String description) {
		return uncached(400).body(new OAuthError(error, description));
	}

	private static ResponseEntity.BodyBuilder uncached(int status) {
		return ResponseEntity.status(status)
			.cacheControl(CacheControl.noStore())
			.header(HttpHeaders.PRAGMA, "no-cache");
	}

	/** A fault of a request, with its name in RFC 6749. */
	private static final class Wrong extends RuntimeException {

		private final String error;

		private final String description;

		Wrong(String error, String description) {
			super(description, null, false, false);
			this.error = error;
			this.description = description;
		}

	}

	/** Body of an error (RFC 6749 5.2). */
	record OAuthError(String error, String errorDescription) {
	}

	/** Codes of a program (RFC 8628 3.2). */
	record Authorization(String deviceCode, String userCode, String verificationUri, String verificationUriComplete,
			long expiresIn, long interval) {

		static Authorization of(DeviceSignIn.Codes codes, String page) {
			return new Authorization(codes.device().text(), codes.user(), page, page + "?code=" + codes.user(),
					DeviceSignIns.LIFETIME.toSeconds(), DeviceSignIns.INTERVAL.toSeconds());
		}

		/** Without the codes, for logs. */
		@Override
		public String toString() {
			return "Authorization";
		}

	}

	/**
	 * An API key as an access token (RFC 6749 5.1).
	 *
	 * @param expiresIn seconds until it expires; absent if it does not
	 */
	record Token(String accessToken, String tokenType,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long expiresIn, String scope) {

		static Token of(ApiKey.Issued issued) {
			ApiKey key = issued.key();
			@Nullable Instant expires = key.expiresAt();
			return new Token(issued.text(), "Bearer",
					(expires != null) ? Duration.between(key.createdAt(), expires).toSeconds() : null,
					String.join(" ", key.permissions()));
		}

		/** Without the key, for logs. */
		@Override
		public String toString() {
			return "Token";
		}

	}

	/** Metadata of the authorization server (RFC 8414). */
	record Metadata(String issuer, String tokenEndpoint, String deviceAuthorizationEndpoint,
			List<String> grantTypesSupported, List<String> responseTypesSupported,
			List<String> tokenEndpointAuthMethodsSupported, List<String> scopesSupported, String serviceDocumentation) {

		static Metadata of(String url) {
			return new Metadata(url, url + "/oauth/token", url + "/oauth/device_authorization",
					List.of(DEVICE_CODE_GRANT), List.of(), List.of("none"), Permission.names(true), url + "/docs");
		}

	}

}
