package dev.mailroom.api.http;

import java.util.List;
import java.util.stream.Stream;

import dev.mailroom.http.ResponseSizes;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** The routes with large responses. Responses to other methods than GET are small. */
@Component
class LargeResponses implements ResponseSizes {

	private static final DataSize EXPECTED = DataSize.ofMegabytes(8);

	private static final List<PathPattern> LARGE = Stream
		.of("/api/templates", "/api/inbound/{id}", "/api/inbound/{id}/raw", "/api/inbound/{id}/attachments/{n}")
		.map(PathPatternParser.defaultInstance::parse)
		.toList();

	@Override
	public long expected(ServerHttpRequest request) {
		if (!HttpMethod.GET.equals(request.getMethod())) {
			return UNCOUNTED;
		}
		return LARGE.stream().anyMatch((route) -> route.matches(request.getPath().pathWithinApplication()))
				? EXPECTED.toBytes() : 0;
	}

}
