package dev.mailroom.http;

import dev.mailroom.Refused;

import org.springframework.web.server.ServerWebExchange;

/** Conversion of an app's exceptions to refusals of the contract. */
@FunctionalInterface
public interface ErrorConversion {

	/** The refusal that the response to a request states. */
	Refused convert(ServerWebExchange exchange, Throwable error);

}
