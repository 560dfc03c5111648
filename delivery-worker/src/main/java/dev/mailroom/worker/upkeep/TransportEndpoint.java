package dev.mailroom.worker.upkeep;

import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.account.Accounts;
import dev.mailroom.account.TransportChoice;
import dev.mailroom.worker.transport.Transports;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.stereotype.Component;

/**
 * Management endpoint for the transport of an account: {@code GET
 * /actuator/transport/{account}} reads it, {@code POST
 * /actuator/transport/{account}/{transport}} sets it, and {@code DELETE
 * /actuator/transport/{account}} returns to the platform's default.
 */
@Component
@Endpoint(id = "transport")
public class TransportEndpoint {

	private static final Logger log = LoggerFactory.getLogger(TransportEndpoint.class);

	private final Accounts accounts;

	private final Transports transports;

	TransportEndpoint(Accounts accounts, Transports transports) {
		this.accounts = accounts;
		this.transports = transports;
	}

	@ReadOperation
	Mono<WebEndpointResponse<Object>> read(@Selector String account) {
		return scope(account).flatMap(this.accounts::transport).map(this::view).defaultIfEmpty(notFound(account));
	}

	@WriteOperation
	public Mono<WebEndpointResponse<Object>> choose(@Selector String account, @Selector String transport) {
		if (!this.transports.choices().contains(transport)) {
			return Mono.just(refused(WebEndpointResponse.STATUS_BAD_REQUEST, "There is no transport '" + transport
					+ "': it is one of " + String.join(", ", this.transports.choices())));
		}
		return scope(account).flatMap((scope) -> this.accounts.chooseTransport(scope, transport))
			.map(this::changed)
			.defaultIfEmpty(notFound(account));
	}

	@DeleteOperation
	public Mono<WebEndpointResponse<Object>> clear(@Selector String account) {
		return scope(account).flatMap((scope) -> this.accounts.chooseTransport(scope, null))
			.map(this::changed)
			.defaultIfEmpty(notFound(account));
	}

	/** The account's scope; empty if the text is not an id. */
	private static Mono<Scope> scope(String account) {
		try {
			return Mono.just(Scope.of(UUID.fromString(account)));
		}
		catch (IllegalArgumentException _) {
			return Mono.empty();
		}
	}

	private WebEndpointResponse<Object> changed(TransportChoice choice) {
		log.info("The transport of account {} is now {}", choice.account(),
				(choice.transport() != null) ? choice.transport() : "the platform's default");
		return view(choice);
	}

	private WebEndpointResponse<Object> view(TransportChoice choice) {
		boolean chosen = choice.transport() != null;
		return new WebEndpointResponse<>(new View(choice.account(),
				(choice.transport() != null) ? choice.transport() : this.transports.usual(), chosen));
	}

	private static WebEndpointResponse<Object> notFound(String account) {
		return refused(WebEndpointResponse.STATUS_NOT_FOUND, "There is no account with the id '" + account + "'");
	}

	private static WebEndpointResponse<Object> refused(int status, String reason) {
		return new WebEndpointResponse<>(Map.of("error", reason), status);
	}

	/**
	 * An account's transport.
	 *
	 * @param transport transport of mail whose domain has no transport of its own
	 * @param chosen whether it was chosen for this account
	 */
	record View(UUID account, String transport, boolean chosen) {
	}

}
