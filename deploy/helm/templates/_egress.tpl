{{- /* Whom every pod may reach: who resolves names, and the database. Of the values of networkPolicy. */}}
{{- define "popindex.commonEgress" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
- ports:
    {{- range .databasePorts }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .databaseTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
