package dev.mailroom.worker.webhook;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;

import dev.mailroom.domain.NameServers;
import dev.mailroom.webhook.WebhookCalls;
import dev.mailroom.webhook.WebhookUrl;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupResult;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.PrematureCloseException;

import org.springframework.stereotype.Component;

/**
 * Addresses of the hosts that are called. Each connection resolves its host once, refuses
 * it if any address is not public, and connects to one of the addresses that were
 * checked. A second answer of the name server has no effect. The answers are not cached.
 */
@Component
public class CheckedAddresses extends AddressResolverGroup<InetSocketAddress> {

	private static final int MAX_REDIRECTS = 8;

	private static final int MAX_HEADER_BYTES = 32 * 1024;

	private static final int MAX_ERROR_LENGTH = 300;

	private final boolean loopback;

	private final LookupSession session;

	CheckedAddresses(NameServers servers, WebhookCalls calls) {
		this.loopback = calls.allowsLoopback();
		this.session = LookupSession.builder().resolver(servers.resolver()).maxRedirects(MAX_REDIRECTS).build();
	}

	/**
	 * Client whose requests have a connection of their own to an address that was
	 * checked; redirects are not followed and proxies not used.
	 * @param trusted context with the authorities; null for the public ones
	 */
	public HttpClient client(Duration connectTimeout, @Nullable SslContext trusted) {
		HttpClient client = HttpClient.newConnection()
			.resolver(this)
			.noProxy()
			.followRedirect(false)
			.disableRetry(true)
			.keepAlive(false)
			.compress(false)
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connectTimeout.toMillis())
			.httpResponseDecoder((decoder) -> decoder.maxHeaderSize(MAX_HEADER_BYTES));
		return (trusted != null) ? client.secure((tls) -> tls.sslContext(trusted)) : client;
	}

	/** The reason of a failed request, as the end of a sentence. */
	public static String reason(Throwable error, Duration timeout) {
		String reason = switch (error) {
			case TimeoutException _ -> "no response within " + timeout.toSeconds() + " s";
			case SSLException ssl -> "the certificate is missing or not valid (" + ssl.getMessage() + ")";
			case ConnectException _ -> "the connection was refused or timed out";
			case PrematureCloseException _ -> "the connection was closed before the response";
			default -> Objects.requireNonNullElse(error.getMessage(), error.getClass().getSimpleName());
		};
		return reason.substring(0, Math.min(reason.length(), MAX_ERROR_LENGTH)).replace('\0', '\uFFFD');
	}

	@Override
	protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
		return new Resolver(executor);
	}

	/** The addresses of a host, all of them checked. */
	private CompletionStage<List<InetAddress>> resolve(InetSocketAddress target) {
		String host = target.getHostString();
		List<InetAddress> known = WebhookUrl.addresses(host, this.loopback);
		return (!known.isEmpty() ? CompletableFuture.completedStage(known)
				: lookUp(host, Type.A).thenCombine(lookUp(host, Type.AAAA), CheckedAddresses::merge))
			.thenApply((addresses) -> check(host, addresses));
	}

	private List<InetAddress> check(String host, List<InetAddress> addresses) {
		if (addresses.isEmpty()) {
			throw new CompletionException(new IOException("The host " + host + " has no address"));
		}
		if (!WebhookUrl.mayCall(host, addresses, this.loopback)) {
			throw new CompletionException(
					new AddressRefused("The host " + host + " has an address that is not public"));
		}
		return addresses;
	}

	/** The answer to one query. An error is kept: the other type may have addresses. */
	private CompletionStage<Answer> lookUp(String host, int type) {
		try {
			return this.session.lookupAsync(Name.fromString(host, Name.root), type).handle(Answer::of);
		}
		catch (TextParseException ex) {
			return CompletableFuture.completedStage(new Answer(List.of(), ex));
		}
	}

	private static List<InetAddress> merge(Answer first, Answer second) {
		List<InetAddress> addresses = new ArrayList<>(first.addresses());
		addresses.addAll(second.addresses());
		@Nullable Throwable error = (first.error() != null) ? first.error() : second.error();
		if (addresses.isEmpty() && error != null) {
			throw new CompletionException(new IOException("The name servers did not answer", error));
		}
		return addresses;
	}

	/**
	 * Addresses of one type.
	 *
	 * @param error null if the name servers answered
	 */
	private record Answer(List<InetAddress> addresses, @Nullable Throwable error) {

		static Answer of(@Nullable LookupResult result, @Nullable Throwable error) {
			if (result != null) {
				return new Answer(result.getRecords().stream().flatMap(Answer::address).toList(), null);
			}
			Throwable cause = (error instanceof CompletionException && error.getCause() != null) ? error.getCause()
					: error;
			boolean absent = cause instanceof NoSuchDomainException || cause instanceof NoSuchRRSetException;
			return new Answer(List.of(), absent ? null : cause);
		}

		private static Stream<InetAddress> address(Record record) {
			return switch (record) {
				case ARecord a -> Stream.of(a.getAddress());
				case AAAARecord aaaa -> Stream.of(aaaa.getAddress());
				default -> Stream.empty();
			};
		}

	}

	/** A host with an address that must not be called. */
	static final class AddressRefused extends IOException {

		AddressRefused(String message) {
			super(message);
		}

	}

	/** Also checks hosts that are addresses, which count as not resolved. */
	private final class Resolver extends AbstractAddressResolver<InetSocketAddress> {

		Resolver(EventExecutor executor) {
			super(executor, InetSocketAddress.class);
		}

		@Override
		protected boolean doIsResolved(InetSocketAddress address) {
			return false;
		}

		@Override
		protected void doResolve(InetSocketAddress target, Promise<InetSocketAddress> promise) {
			CompletionStage<?> _ = CheckedAddresses.this.resolve(target).whenComplete((addresses, error) -> {
				if (error != null) {
					promise.tryFailure(cause(error));
				}
				else {
					promise.trySuccess(new InetSocketAddress(addresses.getFirst(), target.getPort()));
				}
			});
		}

		@Override
		protected void doResolveAll(InetSocketAddress target, Promise<List<InetSocketAddress>> promise) {
			CompletionStage<?> _ = CheckedAddresses.this.resolve(target).whenComplete((addresses, error) -> {
				if (error != null) {
					promise.tryFailure(cause(error));
				}
				else {
					promise.trySuccess(addresses.stream()
						.map((address) -> new InetSocketAddress(address, target.getPort()))
						.toList());
				}
			});
		}

		private static Throwable cause(Throwable error) {
			return (error instanceof CompletionException && error.getCause() != null) ? error.getCause() : error;
		}

	}

}
