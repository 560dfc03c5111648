package dev.mailroom.http;

import java.io.Serial;
import java.util.List;

import dev.mailroom.account.Caller;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AbstractAuthenticationToken;

/**
 * Spring Security's view of a caller. It has no authorities: rules ask the caller itself.
 * The credential is not kept.
 */
public final class CallerToken extends AbstractAuthenticationToken {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Caller caller;

	CallerToken(Caller caller) {
		super(List.of());
		this.caller = caller;
		setAuthenticated(true);
	}

	public Caller caller() {
		return this.caller;
	}

	@Override
	public @Nullable Object getCredentials() {
		return null;
	}

	@Override
	public Object getPrincipal() {
		return this.caller.scope().account();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof CallerToken token && token.caller.equals(this.caller) && super.equals(other);
	}

	@Override
	public int hashCode() {
		return this.caller.hashCode();
	}

}
