package dev.mailroom.api.http;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/**
 * What every error is answered with.
 *
 * @param error the contract's name of it
 * @param name the same in snake case
 * @param message what happened and what to do
 * @param details the fields at fault; left out where none is
 */
record ErrorBody(boolean success, String error, String name, @JsonProperty("statusCode") int statusCode, String message,
		@JsonInclude(JsonInclude.Include.NON_EMPTY) List<Refusal.Detail> details, String requestId, String docsUrl) {

	static ErrorBody of(Refused refused, String requestId, String docs) {
		Refusal refusal = refused.refusal();
		return new ErrorBody(false, refusal.error(), refusal.name(), refusal.kind().status(), refused.message(),
				refused.details(), requestId, docs + refusal.name());
	}

	/** The same as RFC 9457 has it. */
	Problem problem() {
		return new Problem(this.docsUrl, this.error, this.statusCode, this.message, this.name, this.details,
				this.requestId);
	}

	/** Problem details (RFC 9457). */
	record Problem(String type, String title, int status, String detail, String name,
			@JsonInclude(JsonInclude.Include.NON_EMPTY) List<Refusal.Detail> errors, String requestId) {
	}

}
