package dev.mailroom.http;

import java.io.Serial;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import dev.mailroom.account.Caller;
import dev.mailroom.account.Right;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

/** Spring Security's view of a caller. The credential is not kept. */
public final class CallerToken extends AbstractAuthenticationToken {

	/** Authority of a person: everything except sending. */
	public static final String PERSON = "person";

	/** Authority of a person who may only set up a second factor. */
	public static final String ENROLMENT = "enrolment";

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Caller caller;

	CallerToken(Caller caller) {
		super(AuthorityUtils.createAuthorityList(authorities(caller)));
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

	/** The authority of a person whose role has a right. */
	public static String authority(Right right) {
		return "right:" + right.name();
	}

	/** An API key has the authorities that its permissions name, over its own domain. */
	private static Collection<String> authorities(Caller caller) {
		if (!caller.isPerson()) {
			return caller.permissions();
		}
		if (caller.role() == Caller.Role.ENROLLING) {
			return List.of(ENROLMENT);
		}
		return Stream
			.concat(Stream.of(PERSON), Stream.of(Right.values()).filter(caller::has).map(CallerToken::authority))
			.toList();
	}

}
