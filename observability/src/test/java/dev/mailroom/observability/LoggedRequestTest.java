package dev.mailroom.observability;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.event.TraceParent;
import dev.mailroom.mail.queue.Lease;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;

class LoggedRequestTest {

	@Test
	void entriesOfARequestHaveItsIdAndThatOfItsTrace() {
		List<@Nullable Map<String, String>> entries = new ArrayList<>();
		Context request = Context.of(LoggedRequest.ID, "the request");
		LoggedRequest.with(request, () -> entries.add(MDC.getCopyOfContextMap()));
		LoggedRequest.with(new TraceParent("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331").addTo(request),
				() -> entries.add(MDC.getCopyOfContextMap()));
		assertThat(entries.getFirst()).containsEntry("request_id", "the request").doesNotContainKey("trace.id");
		assertThat(entries.getLast()).containsEntry("request_id", "the request")
			.containsEntry("trace.id", "0af7651916cd43dd8448eb211c80319c");
		assertThat(MDC.get("request_id")).isNull();
		assertThat(MDC.get("trace.id")).isNull();
	}

	@Test
	void entriesAboutAMailHaveItsIdsUntilItsTurnIsOver() {
		UUID account = UUID.randomUUID();
		UUID email = UUID.randomUUID();
		UUID delivery = UUID.randomUUID();
		try (LoggedMail.Scope _ = new LoggedMail(delivery, account, email, "0af7651916cd43dd8448eb211c80319c").open()) {
			assertThat(MDC.getCopyOfContextMap()).containsEntry("delivery_id", delivery.toString())
				.containsEntry("account_id", account.toString())
				.containsEntry("email_id", email.toString())
				.containsEntry("trace.id", "0af7651916cd43dd8448eb211c80319c");
		}
		assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
		try (LoggedMail.Scope _ = LoggedMail.of(new Lease(delivery, 1)).open()) {
			assertThat(MDC.getCopyOfContextMap()).containsOnlyKeys("delivery_id");
		}
	}

}
