package dev.mailroom.api.http;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.webhook.Feed;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.codec.ServerSentEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@WithApi
class EventStreamsTest {

	@Autowired
	Feed feed;

	@Autowired
	Person person;

	@Test
	void anAccountHasFiveStreamsAtMostAndAStopEndsThem() {
		EventStreams streams = new EventStreams(this.feed, new StreamSettings(Duration.ofMinutes(5)));
		Scope scope = Scope.of(this.person.account());
		Supplier<Flux<ServerSentEvent<String>>> stream = () -> streams.stream(scope, null, (_) -> true,
				Feed.Entry::kind);
		List<Disposable> open = IntStream.range(0, 5).mapToObj((_) -> stream.get().subscribe()).toList();
		assertThatThrownBy(() -> stream.get().blockFirst()).isInstanceOf(Refused.class)
			.hasMessageContaining("at most 5 streams");
		open.getFirst().dispose();
		assertThat(stream.get().blockFirst().id()).isNotEmpty();
		Flux<ServerSentEvent<String>> last = stream.get();
		Disposable waiting = last.subscribe();
		streams.close();
		assertThat(waiting.isDisposed()).isTrue();
		assertThat(open).allMatch(Disposable::isDisposed);
	}

}
